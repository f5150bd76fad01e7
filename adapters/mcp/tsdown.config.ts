// How the package is built: one file per module format, types beside each.
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  sourcemap: true,
  fixedExtension: true,
});
