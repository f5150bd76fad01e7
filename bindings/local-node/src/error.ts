// The error of this package, in the shape and with the marker of honeyguide's: its `isHoneyguideError` knows it.
// Knows nothing of what raised it.

const marker: unique symbol = Symbol.for("honeyguide.error") as never;

/** What can be wrong with a model or with what it was given. */
export type LocalErrorCode =
  | "model_missing_file"
  | "model_unreadable"
  | "model_unsupported"
  | "model_mismatch"
  | "model_not_finite"
  | "model_invalid_option"
  | "aborted"
  | "native_unavailable";

/** What an error says, as data. */
export interface ErrorRecord {
  code: LocalErrorCode;
  category: "invalid_input" | "not_found" | "state" | "internal";
  message: string;
  details?: Record<string, unknown>;
}

/** A failure with a stable code; branch on `code`, never on the message. */
export class HoneyguideError extends Error {
  override readonly name = "HoneyguideError";
  readonly code: LocalErrorCode;
  readonly category: ErrorRecord["category"];
  readonly details: Record<string, unknown>;
  readonly [marker] = true;

  constructor(record: ErrorRecord, options?: { cause?: unknown }) {
    super(record.message, options);
    this.code = record.code;
    this.category = record.category;
    this.details = record.details ?? {};
  }
}

/** The error that the native part wrote as JSON into a message; anything else stays what it is. */
export function fromNative(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !thrown.message.startsWith("{")) return thrown;
  try {
    return new HoneyguideError(JSON.parse(thrown.message) as ErrorRecord);
  } catch {
    return thrown;
  }
}
