// How the package is tested: the same tests with the newest and the oldest supported version of Mastra, on their own loops.
import { defineConfig } from "vitest/config";

const versions = [
  { name: "newest", package: "@mastra/core" },
  { name: "oldest", package: "mastra-oldest" },
];

export default defineConfig({
  test: {
    projects: versions.map(({ name, package: from }) => ({
      resolve: { alias: [{ find: /^@mastra\/core(?=\/|$)/, replacement: from }] },
      test: {
        // Loading Mastra takes longer than most of the tests that use it.
        isolate: false,
        // A busy machine is no failure.
        testTimeout: 60_000,
        name: `mastra, ${name}`,
        include: ["test/**/*.test.ts"],
        env: { MASTRA_VERSION: name },
      },
    })),
  },
});
