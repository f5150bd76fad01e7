// What the person behind a gateway is told: one line each, on standard error. Knows no server.

import { cut, onOneLine } from "./harmless.js";

/** How many bytes wait for a client that does not read what it is told; what comes then is lost, not kept for ever. */
const mostWaiting = 2 ** 20;

/** A name that a model wrote may be as long as it likes. */
const longestLine = 2000;

/** How much is said: what ends the program is said always. */
export type Loudness = "quiet" | "normal" | "verbose";

/** Writes to standard error; answers, as a stream does, whether more may come. */
export function writeComplaint(...written: Parameters<typeof process.stderr.write>): boolean {
  if (process.stderr.writableLength < mostWaiting) return process.stderr.write(...written);
  const done = written.at(-1) as unknown;
  if (typeof done === "function") queueMicrotask(() => done());
  return true;
}

export class Log {
  constructor(
    private readonly loudness: Loudness,
    private readonly write: (line: string) => unknown = writeComplaint,
  ) {}

  /** Why the program ends. */
  fatal(text: string): void {
    this.#say(text);
  }

  /** Something to know. */
  warn(text: string): void {
    if (this.loudness !== "quiet") this.#say(text);
  }

  /** Something to know that is of use only when none of it is cut. */
  whole(text: string): void {
    this.write(`honeyguide: ${onOneLine(text)}\n`);
  }

  /** Something to follow. */
  detail(text: string): void {
    if (this.loudness === "verbose") this.#say(text);
  }

  #say(text: string): void {
    this.write(`honeyguide: ${cut(onOneLine(text), longestLine, () => "…")}\n`);
  }
}
