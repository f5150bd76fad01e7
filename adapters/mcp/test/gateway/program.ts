// The program as a child process: its streams, its end, and the official client's transport to it. Knows no scenario.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../../../../bindings/node/bin/honeyguide.mjs", import.meta.url));
const noise = new URL("noise.mjs", import.meta.url).href;
const watchdogMs = 60_000;

/** How it is started. */
export interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly environment?: Record<string, string> | undefined;
  readonly noise?: boolean | undefined;
}

/** Starts the program as its users do: by the launcher of the package `honeyguide`. */
function start({ args, cwd, home, environment = {}, noise: isNoisy }: Start): ChildProcessWithoutNullStreams {
  const before = isNoisy ? ["--import", noise] : [];
  return spawn(process.execPath, [...before, launcher, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: home, ...environment },
  });
}

/** Runs it to its end. */
export function runProgram(how: Start): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(how);
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (said.stderr += text));
  child.stdin.end();
  const watchdog = setTimeout(() => child.kill("SIGKILL"), watchdogMs);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(watchdog);
      resolve({ code, ...said });
    });
  });
}

type Message = Record<string, unknown>;

/** A running program, as a transport of the official client. Keeps every line that it writes. */
export class RunningProgram {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** Every line of its standard output. */
  readonly lines: string[] = [];
  stderr = "";
  /** How it ended. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #rest = "";

  constructor(how: Start) {
    this.#child = start(how);
    this.#child.stderr.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.#child.stdout.setEncoding("utf8").on("data", (text) => this.#read(text));
    this.#child.stdin.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      this.#child.on("exit", (code) => {
        resolve(code);
        this.onclose?.();
      });
    });
  }

  async start(): Promise<void> {}

  async send(message: Message): Promise<void> {
    this.write(JSON.stringify(message));
  }

  /** A line on its input. */
  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    const watchdog = setTimeout(() => this.#child.kill("SIGKILL"), watchdogMs);
    await this.ended;
    clearTimeout(watchdog);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  closeOutput(): void {
    this.#child.stdout.destroy();
    void this.send({ jsonrpc: "2.0", id: "nobody reads this", method: "ping" });
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      // Each in a turn of its own: the official client drops progress that a result follows at once.
      setImmediate(() => this.#take(line));
    }
  }

  #take(line: string): void {
    try {
      this.onmessage?.(JSON.parse(line));
    } catch (thrown) {
      this.onerror?.(thrown as Error);
    }
  }
}
