// A guarded tool behind invoke_tool: asked with its own arguments before it runs, once, and never run without a yes.

import { type ModelMessage, type ToolSet, tool } from "ai";
import { type HoneyguideOptions, honeyguide } from "honeyguide";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, major, type Outcome, resultsIn, run, scripted } from "./agent.js";

/** A guarded tool that counts, beside a free one. */
function setUp(needsApproval: unknown, options: HoneyguideOptions = {}) {
  const removed: unknown[] = [];
  const guarded = tool({
    description: "Removes a file",
    inputSchema: z.object({
      path: z.string().transform((path) => path.trim()),
      force: z.boolean().default(false),
    }),
    execute: (input) => {
      removed.push(input);
      return `removed ${input.path}`;
    },
  });
  const hg = honeyguide(options);
  const ai = hg.adaptTo(vercel);
  const register = () => ai.tools.register({ remove: { ...guarded, needsApproval } as ToolSet[string] });
  return { hg, ai, removed, register };
}

const remove = ["c1", "invoke_tool", { toolId: "remove", args: { path: " a.txt " } }] as const;
const start: ModelMessage[] = [{ role: "user", content: "remove a.txt" }];

function requestsIn({ content }: Outcome): Message[] {
  return content.filter((part) => part.type === "tool-approval-request");
}

function answered(asked: Outcome, approved: boolean, reason?: string): ModelMessage[] {
  const content = requestsIn(asked).map(({ approvalId }) => ({
    type: "tool-approval-response",
    approvalId,
    approved,
    reason,
  }));
  return [...start, ...asked.messages, { role: "tool", content } as ModelMessage];
}

describe.skipIf(major < 6).each(loops)("%s asks", (loop) => {
  it("before the tool runs, and runs it once after a yes", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    const { model, sent } = scripted([remove], "removed it");
    const asked = await run(loop, { model, tools: ai.modelTools(), messages: start });
    expect(requestsIn(asked)).toHaveLength(1);
    expect(requestsIn(asked)[0].toolCall).toMatchObject({
      toolCallId: "c1",
      toolName: "invoke_tool",
      input: remove[2],
    });
    expect(removed).toEqual([]);

    const done = await run(loop, { model, tools: ai.modelTools(), messages: answered(asked, true) });
    expect(removed).toEqual([{ path: "a.txt", force: false }]);
    expect(done.text).toBe("removed it");
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"]).toEqual({ type: "text", value: "removed a.txt" });
  });

  it("and never runs the tool after a no", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    const { model, sent } = scripted([remove], "left it");
    const asked = await run(loop, { model, tools: ai.modelTools(), messages: start });
    const done = await run(loop, {
      model,
      tools: ai.modelTools(),
      messages: answered(asked, false, "keep it"),
    });
    expect(removed).toEqual([]);
    expect(done.text).toBe("left it");
    expect(JSON.stringify(sent[1]?.prompt)).toContain("keep it");
  });

  it("also when the answer arrives in another process", async () => {
    const first = setUp(true);
    await first.register();
    const { model } = scripted([remove], "removed it");
    const asked = await run(loop, { model, tools: first.ai.modelTools(), messages: start });
    const stored = JSON.parse(JSON.stringify(answered(asked, true)));

    const second = setUp(true);
    await second.register();
    await run(loop, { model, tools: second.ai.modelTools(), messages: stored });
    expect([first.removed, second.removed]).toEqual([[], [{ path: "a.txt", force: false }]]);
  });

  it("the tool's own rule, with the tool's own arguments and options", async () => {
    const rule = vi.fn(async ({ path }: { path: string }, _options: Message) => path === "a.txt");
    const { ai, removed, register } = setUp(rule);
    await register();
    const free = ["c2", "invoke_tool", { toolId: "remove", args: { path: "b.txt" } }] as const;
    const { model } = scripted([remove, free]);
    const asked = await run(loop, { model, tools: ai.modelTools(), messages: start });
    expect(requestsIn(asked).map((part) => part.toolCall.toolCallId)).toEqual(["c1"]);
    expect(removed).toEqual([{ path: "b.txt", force: false }]);
    expect(rule.mock.calls.map(([input, options]) => [input, options.toolCallId, options.messages])).toEqual([
      [{ path: "a.txt", force: false }, "c1", start],
      [{ path: "b.txt", force: false }, "c2", start],
    ]);
  });

  it("about a tool of the application's own that requires approval", async () => {
    const { hg, ai } = setUp(true);
    const runs: unknown[] = [];
    hg.tools.register({
      id: "remove",
      description: "Removes a file",
      inputSchema: { type: "object" },
      requiresApproval: true,
      execute: (args) => {
        runs.push(args);
        return "removed";
      },
    });
    const { model } = scripted([remove]);
    const asked = await run(loop, { model, tools: ai.modelTools(), messages: start });
    expect([requestsIn(asked).length, runs.length]).toEqual([1, 0]);
    await run(loop, { model, tools: ai.modelTools(), messages: answered(asked, true) });
    expect(runs).toEqual([{ path: " a.txt " }]);
  });

  it("when the model calls the tool by its own name", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    const { model } = scripted([["c1", "remove", { path: "a.txt" }]]);
    const tools = ai.modelTools();
    const asked = await run(loop, { model, tools, messages: start, repairToolCall: ai.repairToolCall });
    expect([requestsIn(asked).length, removed.length]).toEqual([1, 0]);
  });

  it("nobody about a call that is a mistake, and does not run it", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    const { model, sent } = scripted([["c1", "invoke_tool", { toolId: "remove", args: { path: 7 } }]]);
    const outcome = await run(loop, { model, tools: ai.modelTools(), messages: start });
    expect([requestsIn(outcome).length, removed.length]).toEqual([0, 0]);
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"].value).toMatchObject({ error: "invalid_arguments" });
  });

  it("nobody about arguments that only the tool's own schema refuses, and does not run it", async () => {
    const { ai } = setUp(true);
    const runs: unknown[] = [];
    const picky = tool({
      description: "Removes",
      inputSchema: z.object({ path: z.string().refine((path) => path.startsWith("/"), "must be absolute") }),
      execute: (input) => runs.push(input),
    });
    await ai.tools.register({ remove: { ...picky, needsApproval: true } as ToolSet[string] });
    const { model, sent } = scripted([remove]);
    const outcome = await run(loop, { model, tools: ai.modelTools(), messages: start });
    expect([requestsIn(outcome).length, runs.length]).toEqual([0, 0]);
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"].value).toMatchObject({ error: "invalid_arguments" });
  });

  it("again when the tool changed after the yes", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    const { model, sent } = scripted([remove], "asked again");
    const asked = await run(loop, { model, tools: ai.modelTools(), messages: start });
    await ai.tools.register({
      remove: {
        ...tool({
          description: "Removes a folder and everything in it",
          inputSchema: z.object({ path: z.string() }),
          execute: (input) => removed.push(input),
        }),
        needsApproval: true,
      } as ToolSet[string],
    });
    await run(loop, { model, tools: ai.modelTools(), messages: answered(asked, true) });
    expect(removed).toEqual([]);
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"].value).toMatchObject({ isError: true, error: "declined" });
  });

  it("and does not take an approval of another call for this one", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    const { model } = scripted([remove], "removed it", [
      ["c1", "invoke_tool", { toolId: "remove", args: { path: "secret.txt" } }],
    ]);
    const tools = ai.modelTools();
    const asked = await run(loop, { model, tools, messages: start });
    const done = await run(loop, { model, tools, messages: answered(asked, true) });
    // A provider that counts its calls from one in every answer repeats the id.
    const later = await run(loop, {
      model,
      tools,
      messages: [...answered(asked, true), ...done.messages, { role: "user", content: "another" }],
    });
    expect(requestsIn(later)).toHaveLength(1);
    expect(removed).toEqual([{ path: "a.txt", force: false }]);
  });

  it("about a tool that streams, which streams after the yes", async () => {
    const { ai } = setUp(false);
    await ai.tools.register({
      remove: {
        ...tool({
          description: "Removes in steps",
          inputSchema: z.object({ path: z.string() }),
          async *execute() {
            yield "half";
            yield "whole";
          },
        }),
        needsApproval: true,
      } as ToolSet[string],
    });
    const { model, sent } = scripted([remove], "done");
    const asked = await run(loop, { model, tools: ai.modelTools(), messages: start });
    const done = await run(loop, { model, tools: ai.modelTools(), messages: answered(asked, true) });
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"]).toEqual({ type: "text", value: "whole" });
    const preliminary = done.parts.filter((part) => part.preliminary).map((part) => part.output);
    expect(preliminary).toEqual(loop === "streamText" ? ["half", "whole"] : []);
  });
});

describe.each(loops)("%s, when the framework has not asked,", (loop) => {
  /** The framework's call of the exposed tool without its question, as 5 makes it. */
  async function callUnasked(ai: { modelTools(): ToolSet }): Promise<Message> {
    const { invoke_tool: exposed, ...others } = ai.modelTools();
    const { needsApproval: _asked, ...unasked } = exposed as Message;
    const { model, sent } = scripted([remove]);
    await run(loop, { model, tools: { ...others, invoke_tool: unasked }, messages: start });
    return resultsIn(sent[1]?.prompt ?? [])["c1"];
  }

  it("tells the model that the tool needs an approval, and does not run it", async () => {
    const { ai, removed, register } = setUp(true);
    await register();
    expect(await callUnasked(ai)).toMatchObject({ type: "error-json", value: { error: "needs_approval" } });
    expect(removed).toEqual([]);
  });

  it("asks the application's own approver", async () => {
    const approve = vi.fn(() => true);
    const { ai, removed, register } = setUp(true, { approve });
    await register();
    expect(await callUnasked(ai)).toEqual({ type: "text", value: "removed a.txt" });
    expect(approve).toHaveBeenCalledTimes(1);
    expect(removed).toHaveLength(1);
  });

  it("still follows the tool's own rule", async () => {
    const { ai, removed, register } = setUp(() => false);
    await register();
    expect(await callUnasked(ai)).toEqual({ type: "text", value: "removed a.txt" });
    expect(removed).toHaveLength(1);
  });
});

describe("messages alone", () => {
  const call = { type: "tool-call", toolCallId: "c1", toolName: "invoke_tool", input: remove[2] };
  const request = { type: "tool-approval-request", toolCallId: "c1", approvalId: "a1" };
  const yes = { type: "tool-approval-response", approvalId: "a1", approved: true };
  const result = { type: "tool-result", toolCallId: "c1", toolName: "invoke_tool", output: text("removed") };

  /** Executes the exposed tool as a framework would that trusts these messages. */
  async function executed(assistant: Message[], answers: Message[], input: unknown = remove[2]) {
    const { ai, removed, register } = setUp(true);
    await register();
    const messages = [
      ...start,
      { role: "assistant", content: assistant },
      { role: "tool", content: answers },
    ];
    const exposed: Message = ai.modelTools()["invoke_tool"];
    const answer = await exposed.execute(structuredClone(input), { toolCallId: "c1", messages });
    return [removed.length, answer.error];
  }

  it("let a call run when they hold a yes to this very call", async () => {
    expect(await executed([call, request], [yes])).toEqual([1, undefined]);
  });

  it.each<[string, Message[], Message[], unknown?]>([
    ["the answer is a no", [call, request], [{ ...yes, approved: false }]],
    ["a no came before the yes", [call, request], [{ ...yes, approved: false }, yes]],
    ["nothing was asked", [call], [yes]],
    ["the question was about another call", [call, { ...request, toolCallId: "c2" }], [yes]],
    ["the answer is to another question", [call, request], [{ ...yes, approvalId: "a2" }]],
    ["the call has run already", [call, request], [yes, result]],
    ["the arguments are others", [call, request], [yes], { toolId: "remove", args: { path: "b.txt" } }],
    ["there is no such call", [request], [yes]],
  ])("do not let a call run when %s", async (_what, assistant, answers, input) => {
    expect(await executed(assistant, answers, input)).toEqual([0, "needs_approval"]);
  });

  function text(value: string) {
    return { type: "text", value };
  }
});
