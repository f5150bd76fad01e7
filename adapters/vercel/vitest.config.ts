// How the package is tested: the same tests with the newest and the oldest version of each major of the AI SDK that is
// supported, through its own loop and a mock model of its major.
import { defineConfig } from "vitest/config";

const newest = [
  { major: "6", ai: "ai", mcp: "mcp-of-6" },
  { major: "5", ai: "ai5", mcp: "mcp-of-5" },
  { major: "7", ai: "ai7", mcp: "@ai-sdk/mcp" },
];
const versions = newest.flatMap((each) => [
  { ...each, mocks: each.ai, oldest: false },
  { ...each, ai: `ai${each.major}-oldest`, mocks: each.ai, oldest: true },
]);

export default defineConfig({
  test: {
    projects: versions.map(({ major, ai, mcp, mocks, oldest }) => ({
      resolve: {
        alias: [
          // Old versions need more packages for their mocks than they name.
          { find: /^ai\/test$/, replacement: `${mocks}/test` },
          { find: /^ai$/, replacement: ai },
          { find: /^@ai-sdk\/mcp$/, replacement: mcp },
        ],
      },
      test: {
        // Loading the framework takes longer than most of the tests that use it.
        isolate: false,
        // A busy machine is no failure.
        testTimeout: 60_000,
        name: oldest ? `ai ${major}, oldest` : `ai ${major}`,
        include: ["test/**/*.test.ts"],
        env: { AI_MAJOR: major, AI_OLDEST: String(oldest) },
      },
    })),
  },
});
