// How the package is tested: the same tests with each major of the AI SDK, through its own loop and its own mock model.
import { defineConfig } from "vitest/config";

const majors = [
  { major: "6", package: "ai" },
  { major: "5", package: "ai5" },
  { major: "7", package: "ai7" },
];

export default defineConfig({
  test: {
    projects: majors.map(({ major, package: name }) => ({
      resolve: {
        alias: [
          { find: /^ai\/test$/, replacement: `${name}/test` },
          { find: /^ai$/, replacement: name },
        ],
      },
      test: { name: `ai ${major}`, include: ["test/**/*.test.ts"], env: { AI_MAJOR: major } },
    })),
  },
});
