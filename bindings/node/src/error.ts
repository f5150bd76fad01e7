// The one error that Honeyguide throws, recognised by a marker. Knows nothing of what raised it.

import type { Category, ErrorCode } from "./generated/types.js";

const marker: unique symbol = Symbol.for("honeyguide.error") as never;

/** The engine's codes, and the one that only a host can meet: its native part cannot be loaded. */
export type HoneyguideErrorCode = ErrorCode | "native_unavailable";

/** What an error says, as data. */
export interface ErrorRecord {
  code: HoneyguideErrorCode;
  message: string;
  details?: Record<string, unknown>;
  category?: Category;
}

/** A failure with a stable code; branch on `code`, never on the message. */
export class HoneyguideError extends Error {
  override readonly name = "HoneyguideError";
  readonly code: HoneyguideErrorCode;
  readonly category: Category;
  readonly details: Record<string, unknown>;
  readonly [marker] = true;

  constructor(record: ErrorRecord, options?: { cause?: unknown }) {
    super(record.message, options);
    this.code = record.code;
    this.category = record.category ?? "internal";
    this.details = record.details ?? {};
  }
}

/** Whether a value is a HoneyguideError (of this code), also one of another copy of the package. */
export function isHoneyguideError(value: unknown, code?: HoneyguideErrorCode): value is HoneyguideError {
  if (typeof value !== "object" || value === null) return false;
  try {
    const candidate = value as Partial<HoneyguideError>;
    return candidate[marker] === true && (code === undefined || candidate.code === code);
  } catch {
    return false;
  }
}

/** The name and message of anything that can be thrown, whatever its getters do. */
export function describeThrown(thrown: unknown): { name?: string; message?: string } {
  const name = nameOf(thrown);
  const message = messageOf(thrown);
  return {
    ...(name === undefined ? {} : { name: name.toWellFormed() }),
    ...(message === undefined ? {} : { message: message.toWellFormed() }),
  };
}

function nameOf(thrown: unknown): string | undefined {
  if (!isObject(thrown)) return undefined;
  const own = attempt(() => (thrown as { name?: unknown }).name);
  if (typeof own === "string" && own !== "" && own !== "Error") return own;
  // Libraries subclass Error without setting a name; the class still says what happened.
  const ofClass = attempt(() => (thrown as { constructor?: { name?: unknown } }).constructor?.name);
  return typeof ofClass === "string" && ofClass !== "" && ofClass !== "Object" ? ofClass : undefined;
}

function messageOf(thrown: unknown): string | undefined {
  if (!isObject(thrown)) return attempt(() => String(thrown));
  const message = attempt(() => (thrown as { message?: unknown }).message);
  if (typeof message === "string") return message;
  const written = attempt(() => JSON.stringify(thrown));
  return written === undefined || written === "{}" ? attempt(() => String(thrown)) : written;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
