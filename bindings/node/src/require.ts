// Requires modules from where this package is, in both module formats and in bundles. Knows nothing of what they are.
// Importing `node:fs` from an ES module would load all of Node's streams too, so even that is required.

// Not `createRequire` by name: webpack would then want to know while bundling what is required, and warn that it cannot.
import nodeModule from "node:module";

let files: typeof import("node:fs") | undefined;

/** A module that this package can see. */
export function requireFromHere(name: string): unknown {
  return nodeModule.createRequire(here())(name);
}

/** A module of Node itself: found from any place, even where this package does not know its own. */
export function requireFromNode(name: string): unknown {
  // Node has it since 20.16; a `require` of one's own takes longer to make than most modules to load.
  return process.getBuiltinModule?.(name) ?? nodeModule.createRequire(process.execPath)(name);
}

/** Node's files, and its streams with them: loaded when a file is first looked at. */
export function nodeFs(): typeof import("node:fs") {
  files ??= requireFromNode("node:fs") as typeof import("node:fs");
  return files;
}

/** Where this module is, as a URL. A bundle of CommonJS has no `import.meta.url`, and a `__filename` in its place. */
export function here(): string {
  if (import.meta.url) return import.meta.url;
  return (requireFromNode("node:url") as typeof import("node:url")).pathToFileURL(__filename).href;
}
