// Requires modules from where this package is, in both module formats and in bundles. Knows nothing of what they are.
// Importing `node:fs` from an ES module would load all of Node's streams too, so even that is required.

// Not `createRequire` by name: webpack would then want to know while bundling what is required, and warn that it cannot.
import nodeModule from "node:module";

/** A module that this package can see. */
export function requireFromHere(name: string): unknown {
  return nodeModule.createRequire(here())(name);
}

/** A module of Node itself: found from any place, even where this package does not know its own. */
export function requireFromNode(name: string): unknown {
  return nodeModule.createRequire(process.execPath)(name);
}

/** Where this module is, as a URL. A bundle of CommonJS has no `import.meta.url`, and a `__filename` in its place. */
export function here(): string {
  if (import.meta.url) return import.meta.url;
  return (requireFromNode("node:url") as typeof import("node:url")).pathToFileURL(__filename).href;
}
