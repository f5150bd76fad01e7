// Writes what a caller passes on (arguments, results) as JSON text. Knows nothing of schemas or repair.

import { HoneyguideError } from "./error.js";
import { JsonText, toJsonText } from "./json.js";
import { type Refusal, writeJson } from "./refuse.js";

/** Arguments as a model or host code gives them: a value, or JSON text, which keeps its numbers as written. */
export function writeArguments(args: unknown): JsonText | undefined {
  if (args === undefined) return undefined;
  if (typeof args !== "string") return writeValue(args, "the arguments");
  if (args.trim() === "") return undefined;
  // Text that is not JSON goes on as a string: what to say to the model of it is the engine's business.
  return new JsonText(toJsonText(args));
}

/** Any value as JSON text. Broken Unicode is the engine's to judge, since a model can send it; the rest is refused here. */
export function writeValue(value: unknown, what: string): JsonText {
  if (isStream(value)) {
    throw refused(
      { path: "", reason: "unsupported", message: "a stream has to be read to its end first" },
      what,
    );
  }
  // A tool that returns nothing answers null.
  const written = writeJson(value === undefined ? null : value);
  if ("text" in written) return new JsonText(written.text);
  if (written.refusal.reason === "loneSurrogate") {
    try {
      return new JsonText(JSON.stringify(value));
    } catch {
      // A second fault behind the first: report the first.
    }
  }
  throw refused(written.refusal, what);
}

function refused({ path, reason, message }: Refusal, what: string): HoneyguideError {
  const detail = message === undefined ? "" : ` (${message})`;
  return new HoneyguideError({
    code: "invalid_json",
    category: "invalid_input",
    message: `${what} cannot be written as JSON at \`${path || "/"}\`: ${reason}${detail}; pass plain data`,
    details: { path, reason },
  });
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
