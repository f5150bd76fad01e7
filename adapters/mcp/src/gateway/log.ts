// What the person behind a gateway is told: one line each, on standard error. Knows no server.

import { cut, onOneLine } from "./harmless.js";

/** A name that a model wrote may be as long as it likes. */
const longestLine = 2000;

/** How much is said: what ends the program is said always. */
export type Loudness = "quiet" | "normal" | "verbose";

export class Log {
  constructor(
    private readonly loudness: Loudness,
    private readonly write: (line: string) => void = (line) => void process.stderr.write(line),
  ) {}

  /** Why the program ends. */
  fatal(text: string): void {
    this.#say(text);
  }

  /** Something to know. */
  warn(text: string): void {
    if (this.loudness !== "quiet") this.#say(text);
  }

  /** Something to follow. */
  detail(text: string): void {
    if (this.loudness === "verbose") this.#say(text);
  }

  #say(text: string): void {
    this.write(`honeyguide: ${cut(onOneLine(text), longestLine, () => "…")}\n`);
  }
}
