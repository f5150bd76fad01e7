// What only the major 7 has: approval rules per call and a context per tool, both by the catalogued tools' own names, whether
// they are called through invoke_tool or listed.

import { type ModelMessage, type ToolSet, tool } from "ai";
import { honeyguide } from "honeyguide";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, major, type Outcome, resultsIn, run, scripted } from "./agent.js";

const start: ModelMessage[] = [{ role: "user", content: "remove a.txt" }];
const args = { path: " a.txt " };
const ways = [
  { mode: "funnel", remove: ["c1", "invoke_tool", { toolId: "remove", args }] },
  { mode: "suggest", remove: ["c1", "remove", args] },
] as const;
const runsOf = loops.flatMap((loop) => ways.map((way) => ({ loop, ...way })));

async function setUpIn(mode: (typeof ways)[number]["mode"], more: Message = {}) {
  const runs: Message[] = [];
  const ai = honeyguide().adaptTo(vercel, { disclosure: { mode } });
  const removing = tool({
    description: "Removes a file",
    inputSchema: z.object({ path: z.string().transform((path) => path.trim()) }),
    execute: (input, options) => {
      runs.push({ input, options });
      return "removed";
    },
  });
  await ai.tools.register({ remove: { ...removing, ...more } as ToolSet[string] });
  return { ai, runs };
}

function requestsIn({ content }: Outcome): Message[] {
  return content.filter((part) => part.type === "tool-approval-request" && !part.isAutomatic);
}

describe.skipIf(major < 7).each(runsOf)("$loop, $mode", ({ loop, mode, remove }) => {
  const setUp = (more?: Message) => setUpIn(mode, more);

  it("asks a rule of the application with the target's own arguments and context", async () => {
    const { ai, runs } = await setUp();
    const rule = vi.fn((_input: unknown, _options: Message) => "user-approval" as const);
    const context = { user: "ada" };
    const settings = {
      tools: ai.modelTools(),
      toolApproval: ai.toolApproval({ remove: rule }),
      toolsContext: ai.toolsContext({ remove: context }),
    };
    const { model } = scripted([remove], "removed it");
    const asked = await run(loop, { model, ...settings, messages: start });
    expect([requestsIn(asked).length, runs.length]).toEqual([1, 0]);
    expect(rule.mock.calls[0]?.[0]).toEqual({ path: "a.txt" });
    expect(rule.mock.calls[0]?.[1]).toMatchObject({ toolCallId: "c1", toolContext: context });

    const content = requestsIn(asked).map(({ approvalId }) => ({
      type: "tool-approval-response",
      approvalId,
      approved: true,
    }));
    const messages = [...start, ...asked.messages, { role: "tool", content } as ModelMessage];
    await run(loop, { model, ...settings, messages });
    expect(runs.map(({ input, options }) => [input, options.context])).toEqual([
      [{ path: "a.txt" }, context],
    ]);
  });

  it.each<[string, boolean, number]>([
    ["approved", true, 1],
    ["not-applicable", true, 1],
    ["denied", false, 0],
  ])("follows a rule that says %s over the tool's own", async (status, needsApproval, expected) => {
    const { ai, runs } = await setUp({ needsApproval });
    const { model } = scripted([remove]);
    const toolApproval = ai.toolApproval({ remove: status as "approved" });
    const outcome = await run(loop, { model, tools: ai.modelTools(), messages: start, toolApproval });
    expect([requestsIn(outcome).length, runs.length]).toEqual([0, expected]);
  });

  it("follows the tool's own rule where the application has none", async () => {
    const { ai, runs } = await setUp({ needsApproval: true });
    const { model } = scripted([remove]);
    const toolApproval = ai.toolApproval({ other: "approved" });
    const outcome = await run(loop, { model, tools: ai.modelTools(), messages: start, toolApproval });
    expect([requestsIn(outcome).length, runs.length]).toEqual([1, 0]);
  });

  it("asks a rule for all tools about the target by its own name", async () => {
    const { ai, runs } = await setUp();
    const rule = vi.fn(({ toolCall }: Message) => (toolCall.toolName === "remove" ? "denied" : undefined));
    const { model } = scripted([["c0", "search_capabilities", { query: "remove" }]], [remove]);
    const toolApproval = ai.toolApproval(rule as Message);
    const outcome = await run(loop, { model, tools: ai.modelTools(), messages: start, toolApproval });
    expect(rule.mock.calls.map(([{ toolCall }]) => [toolCall.toolName, toolCall.input])).toEqual([
      ["search_capabilities", { query: "remove" }],
      ["remove", { path: "a.txt" }],
    ]);
    expect([outcome.text, runs.length]).toEqual(["done", 0]);
  });

  it("gives each target its own context, as its own schema leaves it", async () => {
    const { ai, runs } = await setUp({ contextSchema: z.object({ user: z.string().toUpperCase() }) });
    const { model, sent } = scripted([remove]);
    const toolsContext = ai.toolsContext({ remove: { user: "ada" }, other: { user: "eve" } });
    await run(loop, { model, tools: ai.modelTools(), messages: start, toolsContext });
    expect(runs[0].options.context).toEqual({ user: "ADA" });
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"]).toEqual({ type: "text", value: "removed" });
  });

  it("does not run a target whose context does not fit its schema", async () => {
    const { ai, runs } = await setUp({ contextSchema: z.object({ user: z.string() }) });
    const { model } = scripted([remove]);
    const toolsContext = ai.toolsContext({ remove: { user: 7 } });
    await run(loop, { model, tools: ai.modelTools(), messages: start, toolsContext }).catch(() => {});
    expect(runs).toEqual([]);
  });
});
