// Tools that suspend: what the application is told, what it resumes with, and what the tool is given then, compared with
// a direct call of the same tool.

import { createTool } from "@mastra/core/tools";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mastra } from "../src/index.js";
import { agentOf, type Loose, loops, type Ran, scripted, settle, version } from "./agent.js";
import { resultsIn } from "./prompt.js";

const memory = { thread: "t", resource: "r" };

/** A tool that asks for a colour before it paints, and notes what it is told. */
function painting(note: (...what: unknown[]) => void, more: Loose = {}): Loose {
  return createTool({
    id: "paint",
    description: "Paints a wall",
    inputSchema: z.object({ wall: z.string() }),
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: z.object({ colour: z.string() }),
    execute: async ({ wall }, { agent }) => {
      note(wall, agent?.resumeData, agent?.suspendPayload);
      if (agent?.resumeData) return `${wall} is ${(agent.resumeData as { colour: string }).colour}`;
      await agent?.suspend({ question: `which colour for ${wall}?` });
      return undefined;
    },
    ...more,
  });
}

/** What the application was told, without what differs from run to run. */
function suspensionsIn({ chunks }: Ran): unknown[] {
  return chunks
    .filter(({ type }) => type === "tool-call-suspended" || type === "suspended")
    .map(({ payload }) => [
      payload.toolCallId ?? null,
      payload.suspendPayload ?? payload,
      payload.resumeSchema,
    ]);
}

interface Seen {
  readonly noted: unknown[];
  readonly told: unknown[];
  readonly shown: unknown;
  readonly text: string;
}

describe.each(loops)("%s", (loop) => {
  const go = loop === "stream" ? "resumeStream" : "resumeGenerate";

  /** One call that suspends, directly or through invoke_tool, and what resuming it did. */
  async function seen(through: boolean, data: unknown, more: Loose = {}, elsewhere = false): Promise<Seen> {
    const noted: unknown[] = [];
    const paint = painting((...what) => noted.push(what), more);
    const { model, sent } = scripted(
      [
        [
          "c1",
          through ? "invoke_tool" : "paint",
          through ? { toolId: "paint", args: { wall: "north" } } : { wall: "north" },
        ],
      ],
      "painted",
    );
    const tools = async (): Promise<Loose> => {
      if (!through) return { paint };
      const ai = honeyguide().adaptTo(mastra);
      await ai.tools.register({ paint });
      return ai.modelTools();
    };
    const first = agentOf({ model, tools: await tools() });
    const asked = await settle(loop, first.agent[loop]("paint it", { memory }));
    const { agent } = elsewhere ? agentOf({ model, tools: await tools() }, first.storage) : first;
    const done = await settle(loop, agent[go](data, { memory, runId: asked.runId, toolCallId: "c1" }));
    return {
      noted,
      told: suspensionsIn(asked),
      shown: resultsIn(sent[1]?.prompt ?? [])["c1"],
      text: done.text,
    };
  }

  it("tells the application what the tool asks, and gives the tool the answer", async () => {
    const through = await seen(true, { colour: "green" });
    expect(through).toEqual(await seen(false, { colour: "green" }));
    expect(through.shown).toEqual({ type: "text", value: "north is green" });
    expect(through.noted).toEqual([
      ["north", undefined, undefined],
      // What was asked is told again since 1.68.
      [
        "north",
        { colour: "green" },
        version === "oldest" ? undefined : { question: "which colour for north?" },
      ],
    ]);
    expect(JSON.stringify(through.told)).toContain("which colour for north?");
  });

  it("says what the tool's own schema wants to be resumed with", async () => {
    if (loop === "stream")
      expect(JSON.stringify((await seen(true, { colour: "green" })).told)).toContain("colour");
  });

  it("goes on in another process", async () => {
    const through = await seen(true, { colour: "green" }, {}, true);
    expect(through).toEqual(await seen(false, { colour: "green" }, {}, true));
    expect(through.shown).toEqual({ type: "text", value: "north is green" });
  });

  it.each<[string, unknown, Loose]>([
    ["an answer that does not fit", { colour: 7 }, {}],
    [
      "an answer that looks like an approval",
      { approved: true },
      { resumeSchema: z.object({ approved: z.boolean() }) },
    ],
    [
      "a question that does not fit",
      { colour: "green" },
      { suspendSchema: z.object({ question: z.number() }) },
    ],
    [
      "a tool that says itself what it wants",
      { colour: "green" },
      {
        execute: async (_input: unknown, { agent }: Loose) =>
          agent.resumeData ?? agent.suspend({ question: "which?" }, { resumeSchema: '{"type":"object"}' }),
      },
    ],
    [
      "a tool that asks twice",
      { colour: "green" },
      { execute: async (_input: unknown, { agent }: Loose) => agent.suspend({ question: "which?" }) },
    ],
  ])("does the same as a direct call with %s", async (_what, data, more) => {
    expect(await seen(true, data, more)).toEqual(await seen(false, data, more));
  });

  it("lets two calls of one step suspend and go on, each with its own answer", async () => {
    const noted: unknown[] = [];
    const ai = honeyguide().adaptTo(mastra);
    await ai.tools.register({ paint: painting((...what) => noted.push(what)) });
    const calls = ["north", "south"].map(
      (wall) => [wall, "invoke_tool", { toolId: "paint", args: { wall } }] as const,
    );
    const { model, sent } = scripted(calls, "painted");
    const { agent } = agentOf({ model, tools: ai.modelTools() });
    const asked = await settle(loop, agent[loop]("paint both", { memory }));
    const about = { memory, runId: asked.runId };
    await settle(loop, agent[go]({ colour: "green" }, { ...about, toolCallId: "north" }));
    const done = await settle(loop, agent[go]({ colour: "red" }, { ...about, toolCallId: "south" }));
    expect(done.text).toBe("painted");
    expect(resultsIn(sent[1]?.prompt ?? [])).toEqual({
      north: { type: "text", value: "north is green" },
      south: { type: "text", value: "south is red" },
    });
  });

  it("asks before a guarded tool runs, and after the yes lets it suspend and go on", async () => {
    const noted: unknown[] = [];
    const ai = honeyguide().adaptTo(mastra);
    await ai.tools.register({ paint: painting((...what) => noted.push(what), { requireApproval: true }) });
    const { model } = scripted(
      [["c1", "invoke_tool", { toolId: "paint", args: { wall: "north" } }]],
      "painted",
    );
    const { agent } = agentOf({ model, tools: ai.modelTools() });
    const asked = await settle(loop, agent[loop]("paint it", { memory }));
    expect(noted).toEqual([]);
    const about = { memory, runId: asked.runId, toolCallId: "c1" };
    const approve = loop === "stream" ? "approveToolCall" : "approveToolCallGenerate";
    await settle(loop, agent[approve](about));
    expect(noted).toHaveLength(1);
    const done = await settle(loop, agent[go]({ colour: "green" }, about));
    expect(noted).toHaveLength(2);
    expect(done.text).toBe("painted");
  });
});
