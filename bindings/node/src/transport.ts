// Carries requests to the engine and answers back: JSON text both ways. Knows no operation and no default.

import { writeValue } from "./arguments.js";
import { describeThrown, type ErrorRecord, HoneyguideError } from "./error.js";
import { EngineClient } from "./generated/client.js";
import type { Options, RevisionResponse } from "./generated/types.js";
import { writeRequest } from "./json.js";
import { loadNative, type NativeEngine } from "./native.js";

/** One engine, spoken to in objects. */
export class Transport extends EngineClient {
  readonly #native: NativeEngine;

  constructor(options: Options) {
    const native = open(options);
    super((operation, request) => unwrap(native.call(operation, write(request))));
    this.#native = native;
  }

  /** The same as `send`, off the event loop. */
  async sendAsync<Answer>(operation: string, request: object): Promise<Answer> {
    return unwrap(await this.#native.callAsync(operation, write(request)));
  }

  /** The catalogs as bytes. */
  save(): Uint8Array {
    return this.#native.save();
  }

  /** Takes saved catalogs in place of the present ones. */
  load(bytes: Uint8Array): RevisionResponse {
    // What is no bytes at all is no saved catalog either: the engine says so.
    return unwrap(this.#native.load(bytes instanceof Uint8Array ? bytes : new Uint8Array()));
  }
}

/** Rules that JSON would lose on the way would hide nothing: they are refused. */
function write(request: object): string {
  const { visible } = request as { visible?: unknown };
  if (visible === undefined || visible === null) return writeRequest(request);
  if (typeof visible !== "object" || Array.isArray(visible)) {
    throw new HoneyguideError({
      code: "invalid_request",
      category: "invalid_input",
      message: "`visible` is an object with `allow`, `deny` or both",
    });
  }
  return writeRequest({ ...request, visible: writeValue(visible, "`visible`") });
}

function open(options: Options): NativeEngine {
  const { NativeEngine } = loadNative();
  const request = writeRequest(options);
  try {
    return new NativeEngine(request);
  } catch (thrown) {
    throw errorOf(thrown);
  }
}

/** The engine writes what is wrong with its options as JSON into the one text that a constructor can throw. */
function errorOf(thrown: unknown): unknown {
  try {
    const record = JSON.parse(describeThrown(thrown).message ?? "") as ErrorRecord;
    return typeof record.code === "string" ? new HoneyguideError(record) : thrown;
  } catch {
    return thrown;
  }
}

/** The answer in an envelope; throws the error in it. */
export function unwrap<Answer>(envelope: string): Answer {
  const parsed = JSON.parse(envelope) as { ok: Answer } | { error: ErrorRecord };
  if ("error" in parsed) throw new HoneyguideError(parsed.error);
  return parsed.ok;
}
