// A server as a child process: newline-delimited JSON over its pipes, in a process group of its own that never outlives us.
// Knows nothing of MCP. The official transport leaves behind what a launcher such as `npx` started; this one does not.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { McpServerError } from "./fault.js";
import type { McpTransport } from "./sdk.js";

/** What to start. */
export interface StdioCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The child's whole environment, beside `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** The environment of a child: what was declared, and of ours nothing but what finds programs and a home. */
export function environmentOf(
  declared: Readonly<Record<string, string>> = {},
  ours: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const kept = process.platform === "win32" ? windowsNeeds : ["PATH", "HOME"];
  const inherited = kept.flatMap((name) => {
    const value = ours[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...declared };
}

const windowsNeeds = [
  "PATH",
  "PATHEXT",
  "SYSTEMROOT",
  "COMSPEC",
  "TEMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
];

/**
 * Becomes the server, and leaves a guard in its group: when the server or the program that started it is gone, the guard
 * ends whatever is left of the group, and itself. It polls, since nothing tells a child of its parent's SIGKILL everywhere.
 */
const guarded = `(PATH=/usr/bin:/bin; trap '' TERM HUP INT
while kill -0 "$PPID" 2>/dev/null && kill -0 "$$" 2>/dev/null; do sleep 2 || break; done
kill -s TERM -- "-$$"; sleep 1; kill -s KILL -- "-$$") </dev/null >/dev/null 2>&1 &
exec "$@"`;

/** How long a server may take to end by itself, and then after it was asked to. */
const graceMs = 500;
/** How much of a message may arrive without a line end, in characters. */
const longestLine = 64 * 2 ** 20;
/** How much of what a server complains about is kept for an error's message. */
const tailLength = 400;

/** The transport to a server that is started here; for POSIX systems. */
export class StdioTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown) => void) | undefined;
  /** What the server last wrote to its standard error. */
  complaints = "";
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #ended: Promise<void> | undefined;
  #closed: Promise<unknown> | undefined;
  #rest = "";

  constructor(
    private readonly server: string,
    private readonly what: StdioCommand,
  ) {}

  /** The process, which leads its group. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args = [], env, cwd } = this.what;
    const child = spawn("/bin/sh", ["-c", guarded, "sh", command, ...args], {
      detached: true,
      env: environmentOf(env),
      cwd,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.complaints = (this.complaints + text).slice(-tailLength);
    });
    this.#closed = new Promise((resolve) => child.once("close", resolve));
    this.#ended = new Promise((resolve) => {
      // `exit` and not `close`: what a server left running may hold its pipes open.
      child.once("exit", () => {
        // Whatever it still wrote is read first.
        setImmediate(() => {
          resolve();
          this.onclose?.();
        });
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        // The system says of a working folder that is missing what it says of a program.
        const isThere = cwd === undefined || existsSync(cwd);
        const message = isThere
          ? `server \`${this.server}\` cannot be started: ${cause.message}`
          : `server \`${this.server}\`: its working folder \`${cwd}\` is not there`;
        reject(new McpServerError(message, "unusable", { server: this.server }, { cause }));
      });
    });
  }

  /** Waits, but not long, until a server that is ending has said its last; answers whether there ever was one. */
  async lastWords(): Promise<{ unusable: boolean }> {
    await this.#within(graceMs, this.#closed);
    const code = this.#child?.exitCode;
    // The shell could not become it.
    return { unusable: code === 126 || code === 127 };
  }

  send(message: unknown): Promise<void> {
    const stdin = this.#child?.stdin;
    return new Promise((resolve, reject) => {
      if (!stdin?.writable) {
        reject(new McpServerError(`server \`${this.server}\` has ended`, "lost", { server: this.server }));
        return;
      }
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) resolve();
        // A pipe breaks before the system says how the program ended and what it said; that is what explains it.
        else void this.lastWords().then(() => reject(error));
      });
    });
  }

  /** Lets the server end, then asks it to, then ends it and all that it started. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || !this.#ended) return;
    child.stdin.end();
    if (!(await this.#within(graceMs, this.#ended))) {
      this.#signal("SIGTERM");
      await this.#within(graceMs, this.#ended);
    }
    this.#signal("SIGKILL");
    await this.#ended;
    child.stdout.destroy();
    child.stderr.destroy();
  }

  async #within(milliseconds: number, event: Promise<unknown> | undefined): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, milliseconds, false);
    });
    const happened = await Promise.race([event?.then(() => true), late]);
    clearTimeout(timer);
    return happened === true;
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      // The guard keeps the group's number in use until it is killed here, so it cannot be another's.
      if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
    if (this.#rest.length > longestLine) {
      this.#rest = "";
      this.onerror?.(new Error("a message without an end was dropped"));
      void this.close();
    }
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      message = undefined;
    }
    if ((message as { jsonrpc?: unknown } | null | undefined)?.jsonrpc !== "2.0") {
      this.onerror?.(new GarbageError(line));
      return;
    }
    this.onmessage?.(message);
  }
}

/** A line that is no message: a log line, or the progress of a download. */
export class GarbageError extends Error {
  constructor(line: string) {
    super(`not a message: ${line.slice(0, 80)}`);
  }
}
