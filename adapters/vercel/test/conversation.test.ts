// Conversations: several at once, of many turns, stored and read again, each with what it may see.

import { convertToModelMessages, type ModelMessage, type ToolSet, tool, wrapLanguageModel } from "ai";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, major, resultsIn, run, scripted } from "./agent.js";

const call = ["c1", "invoke_tool", { toolId: "whoami", args: {} }] as const;

function contextual(context: unknown) {
  return major < 7 ? { experimental_context: context } : { toolsContext: { invoke_tool: context } };
}

describe.each(loops)("%s", (loop) => {
  it("reports that each request begins with the one before, and what differs where one does not", async () => {
    const ai = honeyguide().adaptTo(vercel);
    await ai.tools.register({
      whoami: tool({ description: "Says who asks", inputSchema: z.object({}), execute: () => "ada" }),
    });
    const { model: scriptedModel } = scripted([call], "first", "second");
    const model = wrapLanguageModel({ model: scriptedModel, middleware: ai.watching });
    const settings = { model, tools: ai.modelTools(), prepareStep: ai.prepareStep };
    await run(loop, { ...settings, messages: [{ role: "user", content: "who asks?" }] });
    await run(loop, { ...settings, messages: [{ role: "user", content: "something else" }] });
    const [first, second, third, ...others] = ai.cacheReport();
    expect([first?.cause, second?.cause, others]).toEqual([null, null, []]);
    expect(second?.bytes).toBeGreaterThan(first?.bytes ?? 0);
    expect(third).toMatchObject({ cause: "messages[0]", firstDifferingByte: expect.any(Number) });
    expect(ai.within({ session: "other" }).cacheReport()).toEqual([]);
  });

  it("never shows one conversation the context of another, though their call ids are the same", async () => {
    const ai = honeyguide().adaptTo(vercel);
    await ai.tools.register({
      whoami: tool({
        description: "Says who asks",
        inputSchema: z.object({}),
        execute: async (_input, options: Message) => {
          const before = (options.experimental_context ?? options.context).user;
          await new Promise((resolve) => setTimeout(resolve, before === "ada" ? 10 : 1));
          return (options.experimental_context ?? options.context).user;
        },
      }),
    });
    const tools = ai.modelTools();
    const answers = await Promise.all(
      ["ada", "eve", "bob"].map(async (user) => {
        const { model, sent } = scripted([call]);
        await run(loop, { model, tools, ...contextual({ user }) });
        return resultsIn(sent[1]?.prompt ?? [])["c1"].value;
      }),
    );
    expect(answers).toEqual(["ada", "eve", "bob"]);
  });

  it.skipIf(major < 6)("runs of two guarded calls only the one that got a yes", async () => {
    const ran: unknown[] = [];
    const ai = honeyguide().adaptTo(vercel);
    const removing = tool({
      description: "Removes",
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => ran.push(path),
    });
    await ai.tools.register({ remove: { ...removing, needsApproval: true } as ToolSet[string] });
    const { model, sent } = scripted(
      ["a", "b"].map((path) => [path, "invoke_tool", { toolId: "remove", args: { path } }] as const),
      "done",
    );
    const tools = ai.modelTools();
    const start: ModelMessage[] = [{ role: "user", content: "remove both" }];
    const asked = await run(loop, { model, tools, messages: start });
    const content = asked.content
      .filter((part) => part.type === "tool-approval-request")
      .map(({ approvalId, toolCall }) => ({
        type: "tool-approval-response",
        approvalId,
        approved: toolCall.toolCallId === "b",
      }));
    expect(content).toHaveLength(2);
    await run(loop, {
      model,
      tools,
      messages: [...start, ...asked.messages, { role: "tool", content } as ModelMessage],
    });
    expect(ran).toEqual(["b"]);
    expect(Object.keys(resultsIn(sent[1]?.prompt ?? [])).sort()).toEqual(["a", "b"]);
  });

  it("sees and runs in a conversation only what that conversation may", async () => {
    const hg = honeyguide();
    const ai = hg.adaptTo(vercel);
    const ran: string[] = [];
    const named = (name: string) =>
      tool({ description: `The ${name} ledger`, inputSchema: z.object({}), execute: () => ran.push(name) });
    await ai.tools.register({ open_ledger: named("open"), secret_ledger: named("secret") });
    const within = ai.within({ visible: { allow: { ids: ["open_ledger"] } } });
    const { model, sent } = scripted([
      ["c1", "search_capabilities", { query: "ledger" }],
      ["c2", "invoke_tool", { toolId: "secret_ledger", args: {} }],
      ["c3", "secret_ledger", {}],
      ["c4", "invoke_tool", { toolId: "open_ledger", args: {} }],
    ]);
    await run(loop, {
      model,
      tools: within.modelTools(),
      prepareStep: within.prepareStep,
      repairToolCall: within.repairToolCall,
      messages: [{ role: "user", content: "the secret ledger" }],
    });
    expect(ran).toEqual(["open"]);
    const results = resultsIn(sent[1]?.prompt ?? []);
    expect([results["c2"].value.error, results["c3"].value.error]).toEqual(["unknown_tool", "unknown_tool"]);
    const { c2: _2, c3: _3, ...shown } = results;
    expect(JSON.stringify(shown)).not.toContain("secret_ledger");
    expect(JSON.stringify(shown)).toContain("open_ledger");
  });
});

describe.skipIf(major < 6)("a stored conversation", () => {
  it("is shown to the model as the target shows its result", async () => {
    const hg = honeyguide();
    const ai = hg.adaptTo(vercel);
    const greet = tool({
      description: "Greets",
      inputSchema: z.object({ name: z.string() }),
      execute: ({ name }) => `hello ${name}`,
    });
    await ai.tools.register({
      greet: {
        ...greet,
        toModelOutput: ({ input, output }: Message) => ({ type: "text", value: `${output} (${input.name})` }),
      } as ToolSet[string],
    });
    const part = (toolCallId: string, input: unknown, output: unknown) => ({
      type: "dynamic-tool",
      toolName: "invoke_tool",
      state: "output-available",
      toolCallId,
      input,
      output,
    });
    const reply = { isError: true, error: "unknown_tool", message: "unknown tool", requested: "gret" };
    const stored: Message = [
      { role: "user", parts: [{ type: "text", text: "greet" }] },
      {
        role: "assistant",
        parts: [
          part("c1", { toolId: "greet", args: { name: "Ada" } }, "hello Ada"),
          part("c2", { toolId: "gret", args: {} }, reply),
        ],
      },
    ];
    const messages = await convertToModelMessages(stored, { tools: ai.modelTools() });
    expect(resultsIn(messages)).toMatchObject({
      c1: { type: "text", value: "hello Ada (Ada)" },
      c2: { type: "error-json", value: reply },
    });
  });
});
