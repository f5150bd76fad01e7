// What a run asks about beside the tools' own rules (`requireToolApproval`), and calls that no agent makes. The tools' own
// rules are the testkit's.

import { createTool } from "@mastra/core/tools";
import { honeyguide } from "honeyguide";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { mastra } from "../src/index.js";
import { agentOf, type Loose, loops, scripted, settle } from "./agent.js";
import { givings } from "./harness.js";

const call = ["c1", "invoke_tool", { toolId: "remove", args: { path: "a.txt" } }] as const;

/** A tool that counts, with whatever rule. */
async function adapted(more: Loose = {}, options: Loose = {}) {
  const removed: unknown[] = [];
  const hg = honeyguide(options);
  const ai = hg.adaptTo(mastra);
  await ai.tools.register({
    remove: createTool({
      id: "remove",
      description: "Removes a file",
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => {
        removed.push(path);
        return `removed ${path}`;
      },
      ...more,
    }),
  });
  return { hg, ai, removed };
}

const memory = { thread: "t", resource: "r" };
const waits = ({ chunks }: { chunks: Loose[] }) =>
  chunks
    .filter(({ type }) => type === "tool-call-approval" || type === "suspended")
    .map(({ payload }) => payload.toolCallId);

describe.each(loops)("%s", (loop) => {
  const suffix = loop === "generate" ? "Generate" : "";
  describe.each(givings)("with %s", (giving) => {
    it("asks about every call where the run says so, once, and runs it after a yes", async () => {
      const { ai, removed } = await adapted();
      const { model } = scripted([call], "removed it");
      const { agent } = agentOf({ model, tools: giving === "toolsFor" ? ai.toolsFor : ai.modelTools() });
      const options = { memory, requireToolApproval: true };
      const asked = await settle(loop, agent[loop]("go", options));
      expect([waits(asked), removed]).toEqual([["c1"], []]);
      const done = await settle(
        loop,
        agent[`approveToolCall${suffix}`]({ ...options, runId: asked.runId, toolCallId: "c1" }),
      );
      expect([waits(done), removed, done.text]).toEqual([[], ["a.txt"], "removed it"]);
    });

    it("never runs what was declined", async () => {
      const { ai, removed } = await adapted();
      const { model } = scripted([call], "left it");
      const { agent } = agentOf({ model, tools: giving === "toolsFor" ? ai.toolsFor : ai.modelTools() });
      const options = { memory, requireToolApproval: true };
      const asked = await settle(loop, agent[loop]("go", options));
      const done = await settle(
        loop,
        agent[`declineToolCall${suffix}`]({ ...options, runId: asked.runId, toolCallId: "c1" }),
      );
      expect([waits(done), removed, done.text]).toEqual([[], [], "left it"]);
    });

    it("asks once about a guarded tool in a run that asks about everything", async () => {
      const { ai, removed } = await adapted({ requireApproval: true });
      const { model } = scripted([call], "removed it");
      const { agent } = agentOf({ model, tools: giving === "toolsFor" ? ai.toolsFor : ai.modelTools() });
      const options = { memory, requireToolApproval: true };
      const asked = await settle(loop, agent[loop]("go", options));
      const done = await settle(
        loop,
        agent[`approveToolCall${suffix}`]({ ...options, runId: asked.runId, toolCallId: "c1" }),
      );
      expect([waits(asked), waits(done), removed]).toEqual([["c1"], [], ["a.txt"]]);
    });

    it("asks a rule of the run about the target by its own name, with its own arguments", async () => {
      const { ai, removed } = await adapted();
      const rule = vi.fn(({ toolName }: Loose) => toolName === "remove");
      const { model } = scripted([["c0", "search_capabilities", { query: "remove" }]], [call]);
      const { agent } = agentOf({ model, tools: giving === "toolsFor" ? ai.toolsFor : ai.modelTools() });
      const asked = await settle(loop, agent[loop]("go", { memory, requireToolApproval: rule }));
      expect([waits(asked), removed]).toEqual([["c1"], []]);
      const about = rule.mock.calls.map(([{ toolName, args }]) => [toolName, args]);
      expect(about).toContainEqual(["remove", { path: "a.txt" }]);
      expect(about).toContainEqual(["search_capabilities", { query: "remove" }]);
    });

    it("leaves it to the tool's own rule, where it has one, as in a direct call", async () => {
      const { ai, removed } = await adapted({ requireApproval: () => false });
      const { model } = scripted([call]);
      const { agent } = agentOf({ model, tools: giving === "toolsFor" ? ai.toolsFor : ai.modelTools() });
      const ran = await settle(loop, agent[loop]("go", { memory, requireToolApproval: true }));
      expect([waits(ran), removed]).toEqual([[], ["a.txt"]]);
    });

    it("asks nobody about a call that is a mistake", async () => {
      const { ai, removed } = await adapted();
      const { model } = scripted([["c1", "invoke_tool", { toolId: "remove", args: { path: 7 } }]]);
      const { agent } = agentOf({ model, tools: giving === "toolsFor" ? ai.toolsFor : ai.modelTools() });
      const ran = await settle(loop, agent[loop]("go", { memory, requireToolApproval: true }));
      expect([waits(ran), removed, ran.text]).toEqual([[], [], "done"]);
    });
  });

  it("takes the yes to a run's question in another process, with toolsFor", async () => {
    const [first, second] = [await adapted(), await adapted()];
    const { model } = scripted([call], "removed it");
    const options = { memory, requireToolApproval: true };
    const { agent, storage } = agentOf({ model, tools: first.ai.toolsFor });
    const asked = await settle(loop, agent[loop]("go", options));
    const { agent: restarted } = agentOf({ model, tools: second.ai.toolsFor }, storage);
    const done = await settle(
      loop,
      restarted[`approveToolCall${suffix}`]({ ...options, runId: asked.runId, toolCallId: "c1" }),
    );
    expect([waits(done), first.removed, second.removed]).toEqual([[], [], ["a.txt"]]);
  });
});

describe("a call that no agent makes", () => {
  const exposed = (ai: { modelTools(): Loose }) => ai.modelTools()["invoke_tool"];
  const input = call[2];

  it("of a guarded tool is answered with what it needs, and does not run", async () => {
    const { ai, removed } = await adapted({ requireApproval: true });
    expect(await exposed(ai).execute(input, {})).toMatchObject({ isError: true, error: "needs_approval" });
    expect(removed).toEqual([]);
  });

  it("of a guarded tool is the application's own approver's to allow", async () => {
    const { ai, removed } = await adapted({ requireApproval: true }, { approve: () => true });
    expect(await exposed(ai).execute(input, {})).toBe("removed a.txt");
    expect(removed).toEqual(["a.txt"]);
  });

  it("follows the tool's own rule", async () => {
    const { ai, removed } = await adapted({ requireApproval: ({ path }: Loose) => path !== "a.txt" });
    expect(await exposed(ai).execute(input, {})).toBe("removed a.txt");
    const other = { toolId: "remove", args: { path: "b.txt" } };
    expect(await exposed(ai).execute(other, {})).toMatchObject({ error: "needs_approval" });
    expect(removed).toEqual(["a.txt"]);
  });

  it("of a guarded tool does not run on what an agent's call was asked, though its context looks like one", async () => {
    const { ai, removed } = await adapted({ requireApproval: true });
    const tool = exposed(ai);
    await tool.onInputAvailable({ toolCallId: "c1", input, messages: [] });
    await tool.requireApproval(input, {});
    const other = { agent: { toolCallId: "c2", messages: [] } };
    expect(await tool.execute(input, other)).toMatchObject({ error: "needs_approval" });
    expect(removed).toEqual([]);
  });
});
