// How the package is tested: tests stand beside the sources and use the native part that was built.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["src/**/*.test.ts"] } });
