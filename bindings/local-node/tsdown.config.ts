// How the package is built: one file per module format with its types.
import { defineConfig } from "tsdown";

export default defineConfig({
  platform: "node",
  target: "node20",
  fixedExtension: true,
  logLevel: "warn",
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
});
