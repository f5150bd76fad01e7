// The example prints what the agent did: each call, the question about the guarded one, and the model's words.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("finds the forecast, asks before it sends the mail, and says so", () => {
  const { stdout, stderr } = spawnSync("npx", ["tsx", "agent.ts"], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
    env: { ...process.env, AI_GATEWAY_API_KEY: "" },
  });
  expect(stderr).toBe("");
  const mail = '{"toolId":"mail__send","args":{"to":"Ada","text":"7 degrees in Oslo"}}';
  expect(stdout.trim().split("\n")).toEqual([
    'invoke_tool {"toolId":"weather__forecast","args":{"city":"Oslo"}}',
    `invoke_tool ${mail}`,
    `approved: ${mail}`,
    "I mailed Ada the forecast.",
  ]);
  // A whole program, and its framework, is loaded.
}, 60_000);
