// What a browser or an edge bundle gets in place of the package: the same values, and a clear word instead of an engine.

import { HoneyguideError } from "./error.js";

export { CacheWatch } from "./cache-watch.js";
export { capabilityNames, toInvocation } from "./capabilities.js";
export { HoneyguideError, isHoneyguideError } from "./error.js";
export { toJsonText } from "./json.js";
export { isErrorReply } from "./replies.js";

/** Stands in for every class: there is no engine in a browser. */
export class Honeyguide {
  constructor() {
    throw new HoneyguideError({
      code: "native_unavailable",
      category: "state",
      message:
        "honeyguide runs its engine as native code and cannot work in a browser or edge bundle; " +
        "use it on the server (Node.js 20 or later)",
    });
  }
}

/** Says that there is no engine in a browser. */
export function honeyguide(): Honeyguide {
  return new Honeyguide();
}
