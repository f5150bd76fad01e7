// How the package is tested: against servers in processes of their own, a few at a time.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // A busy machine is no failure.
    testTimeout: 120_000,
    maxConcurrency: 8,
    // They wait for processes most of the time.
    maxWorkers: 3,
  },
});
