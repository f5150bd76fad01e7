// How the package is built: one file per module format with its types, a stand-in for browsers, and the program.
// What is built is as readable as its source, so no maps of it are published.
import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";

const common = { platform: "node", target: "node20", fixedExtension: true, logLevel: "warn" } as const;

export default defineConfig([
  { ...common, entry: ["src/index.ts"], format: ["esm"], dts: false },
  {
    ...common,
    entry: ["src/index.ts"],
    format: ["cjs"],
    dts: true,
    clean: false,
    // The types are the same for both formats, and a fifth of what is fetched beside the native file.
    onSuccess: () => writeFile("dist/index.d.mts", 'export * from "./index.cjs";\n'),
  },
  {
    ...common,
    entry: { embedders: "src/embedders/index.ts" },
    format: ["esm", "cjs"],
    dts: true,
    clean: false,
  },
  { ...common, entry: ["src/browser.ts"], format: ["esm"], dts: false, clean: false },
  { ...common, entry: ["src/bin.ts"], format: ["esm"], dts: false, clean: false },
]);
