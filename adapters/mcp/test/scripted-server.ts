// The scripted server of e2e/mcp as a test deals with it: its directory, its log, its control file. Knows no catalog.

import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../e2e/mcp/server.mjs", import.meta.url));

/** One line of the server's log. */
export interface LogEntry {
  event: string;
  pid?: number;
  port?: number;
  status?: number;
  method?: string;
  id?: number;
  place?: number;
  params?: Record<string, unknown>;
  environment?: Record<string, string>;
}

export class ScriptedServer {
  readonly directory = mkdtempSync(join(tmpdir(), "honeyguide-mcp-"));
  #child: ChildProcess | undefined;
  #actions = 0;

  constructor(script: object) {
    writeFileSync(join(this.directory, "script.json"), JSON.stringify(script));
  }

  /** How a client starts it over stdio. */
  get command(): { command: string; args: string[] } {
    return { command: process.execPath, args: [program, "stdio", this.directory] };
  }

  /** Starts it over HTTP, at the same address each time. */
  async listen(): Promise<string> {
    const ports = this.log("port").length;
    this.#child = spawn(process.execPath, [program, "http", this.directory], {
      stdio: ["pipe", "inherit", "inherit"],
    });
    await eventually(() => this.log("port").length > ports);
    return `http://127.0.0.1:${this.log("port").at(-1)?.port}/mcp`;
  }

  /** What it logged, of one event when that is named. */
  log(event?: string): LogEntry[] {
    const file = join(this.directory, "log.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    const entries = lines.flatMap((line): LogEntry[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return []; // Half a line, which is whole when it is read again.
      }
    });
    return event === undefined ? entries : entries.filter((entry) => entry.event === event);
  }

  /** The messages of one method that reached it. */
  messages(method: string): LogEntry[] {
    return this.log("message").filter((entry) => entry.method === method);
  }

  /** Has it do something, and waits until it has. */
  async control(action: object): Promise<void> {
    appendFileSync(join(this.directory, "control.jsonl"), `${JSON.stringify(action)}\n`);
    const place = ++this.#actions;
    await eventually(() => this.log("done").some((entry) => entry.place === place));
  }

  /** Ends it without a warning; waits until it runs, for it may be dialled and not be started yet. */
  async kill(): Promise<void> {
    await eventually(() => this.log("start").length > 0);
    process.kill(this.log("start").at(-1)?.pid as number, "SIGKILL");
  }

  /** The processes of it that still run, with what they started. */
  get running(): number[] {
    return [...this.log("start"), ...this.log("child")].flatMap(({ pid }) =>
      pid && isRunning(pid) ? [pid] : [],
    );
  }

  async dispose(): Promise<void> {
    this.#child?.kill("SIGKILL");
    for (const pid of this.running) process.kill(pid, "SIGKILL");
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One that ended and was not asked for its code is no process any more.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, "utf8"));
}

/** Waits until something holds; fails with `what` when it does not come to. So many turns are a hang, not a busy machine. */
export async function eventually(holds: () => boolean, what: () => string = () => ""): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`it did not come to hold: ${holds} ${what()}`);
}
