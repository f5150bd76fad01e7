// The native part of the installed package, without its facade. Knows nothing of operations.

import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

const folder = new URL("../.build/node/node_modules/honeyguide/", import.meta.url);

/** An engine of its own: text in, text out. */
export function openNative(options = {}) {
  const file = readdirSync(folder).find((name) => name.endsWith(".node"));
  const { NativeEngine } = createRequire(import.meta.url)(new URL(file, folder).pathname);
  return new NativeEngine(JSON.stringify(options));
}
