// How the package is tested: the checks pass for a small framework of the tests' own, and fail for each broken adapter to it.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["test/**/*.test.ts"] } });
