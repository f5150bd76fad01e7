// How the package is built: one file per module format with its types, and a stand-in for browsers.
import { defineConfig } from "tsdown";

const common = { platform: "node", target: "node20", fixedExtension: true, logLevel: "warn" } as const;

export default defineConfig([
  { ...common, entry: ["src/index.ts"], format: ["esm", "cjs"], dts: true, sourcemap: true },
  { ...common, entry: ["src/browser.ts"], format: ["esm"], dts: false, clean: false },
]);
