// What is worth knowing of a server, in words that give nothing away. Knows no state.

import { describe, isHeaderFault, McpServerError } from "./fault.js";
import type { McpDiagnostic } from "./options.js";
import type { Redact } from "./redact.js";
import { GarbageError } from "./stdio.js";

/** The most diagnostics that are kept; whoever listens hears all. */
const most = 100;

export class Journal {
  readonly #kept: McpDiagnostic[] = [];
  #toldOfGarbage = false;

  constructor(
    private readonly server: string,
    private readonly listener: ((diagnostic: McpDiagnostic) => void) | undefined,
    readonly redact: Redact,
  ) {}

  get diagnostics(): McpDiagnostic[] {
    return [...this.#kept];
  }

  tell(diagnostic: Omit<McpDiagnostic, "server">): void {
    const whole = { server: this.server, ...diagnostic, message: this.redact(diagnostic.message) };
    this.#kept.push(whole);
    if (this.#kept.length > most) this.#kept.shift();
    this.listener?.(whole);
  }

  /** Notes an error that the connection survived: once that the server writes what is no message. */
  complain(error: Error): void {
    if (!(error instanceof GarbageError) || this.#toldOfGarbage) return;
    this.#toldOfGarbage = true;
    const message = `server \`${this.server}\` writes what is no message to its output: ${error.message}`;
    this.tell({ code: "garbage", message });
  }

  /** The words of an error, with the server's name in them. */
  wordsOf(thrown: unknown, addition = ""): string {
    const said = describe(thrown).message;
    // Only our own words name the server: a server could write its name to speak in ours.
    const isNamed = thrown instanceof McpServerError && said.includes(`\`${this.server}\``);
    return this.redact((isNamed ? said : `server \`${this.server}\`: ${said}`) + addition);
  }

  /** What was thrown, unless it tells what must not be told. */
  harmless(thrown: unknown): unknown {
    if (isHeaderFault(thrown)) return undefined;
    const { message } = describe(thrown);
    return this.redact(message) === message ? thrown : undefined;
  }
}
