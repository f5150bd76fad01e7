// How the package is built: one file per module format, types beside each; the gateway is a program, so it has one format.
import { defineConfig } from "tsdown";

const common = { platform: "node", target: "node20", fixedExtension: true, sourcemap: true } as const;

export default defineConfig([
  { ...common, entry: ["src/index.ts"], format: ["esm", "cjs"], dts: true, clean: true },
  {
    ...common,
    entry: { gateway: "src/gateway/program.ts", bin: "src/gateway/bin.ts" },
    format: ["esm"],
    dts: false,
    clean: false,
  },
]);
