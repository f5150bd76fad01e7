// Refuses options of a call that mean nothing: one that is misspelt would be a rule that does not hold. Knows no call.

import { HoneyguideError } from "./error.js";
import type { CallOptions } from "./run.js";

/** Of all names the compiler sees that none is missing. */
const known: Readonly<Record<keyof CallOptions, true>> = {
  session: true,
  visible: true,
  signal: true,
  context: true,
  approve: true,
  timeoutMs: true,
  toolCallId: true,
  live: true,
};

/** Throws when something among the options of a call means nothing. */
export function checkOptions(options: CallOptions): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw refused("the options of a call are no object", "options");
  }
  for (const name in options) {
    if (!Object.hasOwn(known, name)) {
      throw refused(
        `unknown option \`${name.toWellFormed()}\`; known are ${Object.keys(known).join(", ")}`,
        name,
      );
    }
  }
  const { timeoutMs, approve } = options;
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
    throw refused(`the option \`timeoutMs\` is no number of milliseconds above 0`, "timeoutMs");
  }
  if (approve !== undefined && approve !== null && typeof approve !== "function") {
    throw refused("the option `approve` is no function", "approve");
  }
}

function refused(message: string, option: string): HoneyguideError {
  return new HoneyguideError({
    code: "invalid_request",
    category: "invalid_input",
    message,
    details: { option: option.toWellFormed() },
  });
}
