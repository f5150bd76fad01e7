// What an agent's conversation shows of the adapter: recalls in memory, calls by a tool's own name, request contexts.

import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mastra } from "../src/index.js";
import { agentOf, type Loose, loops, scripted, settle } from "./agent.js";
import { resultsIn } from "./prompt.js";

const memory = { thread: "t", resource: "r" };
const about = "weather forecast of a city";

async function adapted(
  execute: (input: Loose, context: Loose) => Promise<unknown> = async () => "7 degrees",
) {
  const hg = honeyguide();
  const ai = hg.adaptTo(mastra);
  await ai.tools.register({
    forecast: createTool({
      id: "forecast",
      description: "Weather forecast of a city",
      inputSchema: z.object({ city: z.string() }),
      execute,
    }),
  });
  return { hg, ai };
}

const call = (id: string) => [id, "invoke_tool", { toolId: "forecast", args: { city: "Oslo" } }] as const;

describe("a recall", () => {
  const said = (text: string): Loose => ({
    id: "u1",
    role: "user",
    createdAt: new Date(0),
    content: { format: 2, parts: [{ type: "text", text }] },
  });

  it("is one message with the call and its result, in the thread of the turn", async () => {
    const { ai } = await adapted();
    const turn = { ...said(about), threadId: "t", resourceId: "r" };
    const [first, recalled, ...others] = (await ai.appendRecall([turn])) as Loose[];
    expect([first, others]).toEqual([turn, []]);
    expect(recalled).toMatchObject({ role: "assistant", threadId: "t", resourceId: "r" });
    expect(recalled.content.parts[0].toolInvocation).toMatchObject({
      state: "result",
      toolName: "search_capabilities",
      args: { query: about },
      result: { status: "ok" },
    });
  });

  it("is not added on no match, to an empty turn, to no turn, or behind an answer", async () => {
    const { ai } = await adapted();
    const answer = { ...said("hello"), id: "a1", role: "assistant" };
    for (const messages of [[said("qqqq zzzz")], [said("")], [], [said(about), answer]]) {
      expect(await ai.appendRecall(messages)).toEqual(messages);
    }
  });

  it("leaves the caller's array and messages alone, and is not added twice", async () => {
    const { ai } = await adapted();
    const messages = Object.freeze([Object.freeze(said(about))]) as Loose[];
    const once = await ai.appendRecall(messages);
    expect([messages.length, once.length]).toEqual([1, 2]);
    expect(await ai.appendRecall(once)).toEqual(once);
    const stored = JSON.parse(JSON.stringify(once));
    expect(await ai.appendRecall(stored)).toEqual(stored);
  });

  it("stays in the agent's memory, where the next turn reads it", async () => {
    const { ai } = await adapted();
    const { model, sent } = scripted([call("c1")], "first", "second");
    const { agent } = agentOf({ model, tools: ai.toolsFor, inputProcessors: [ai.recalling] });
    await settle("stream", agent.stream(about, { memory }));
    await settle("stream", agent.stream("thank you kindly", { memory }));
    const before = JSON.stringify(sent[1]?.prompt.slice(1));
    expect(JSON.stringify(sent[2]?.prompt.slice(1)).startsWith(before.slice(0, -1))).toBe(true);
    expect(before).toContain("search_capabilities");
  });
});

describe.each(loops)("%s", (loop) => {
  it("reports that each request begins with the one before, and what differs where one does not", async () => {
    const { ai } = await adapted();
    const { model } = scripted([call("c1")], "first", "second");
    const instructions = ({ requestContext }: Loose) => requestContext.get("said") ?? "help";
    const processors = [ai.recalling, ai.repairing, ai.watching];
    const { agent } = agentOf({ model, instructions, tools: ai.toolsFor, inputProcessors: processors });
    await settle(loop, agent[loop](about, { memory }));
    const requestContext = new RequestContext([["said", "help me"]] as Loose);
    await settle(loop, agent[loop]("thank you kindly", { memory, requestContext }));
    const [first, second, third, ...others] = ai.cacheReport();
    expect([first?.cause, second?.cause, others]).toEqual([null, null, []]);
    expect(second?.bytes).toBeGreaterThan(first?.bytes ?? 0);
    expect(third).toMatchObject({ cause: "messages[0]", firstDifferingByte: expect.any(Number) });
  });

  it("answers a call by a tool's own name with Mastra's own error where the processor is left out", async () => {
    const { ai } = await adapted();
    const { model, sent } = scripted([["c1", "forecast", { city: "Oslo" }]]);
    const { agent } = agentOf({ model, tools: ai.toolsFor });
    await settle(loop, agent[loop]("go", { memory }));
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"].value).toContain("not found");
  });

  it("keeps what an agent says beside a mended call, and calls of tools that are there", async () => {
    const { ai } = await adapted();
    const own = createTool({ id: "own", description: "Own", execute: async () => "own" });
    const { model, sent } = scripted([["c1", "own", {}], ["c2", "forecast", { city: "Oslo" }], call("c3")]);
    const tools = ({ requestContext }: Loose) => ({ ...ai.toolsFor({ requestContext }), own });
    const { agent } = agentOf({ model, tools, inputProcessors: [ai.repairing] });
    await settle(loop, agent[loop]("go", { memory }));
    expect(resultsIn(sent[1]?.prompt ?? [])).toEqual({
      c1: { type: "text", value: "own" },
      c2: { type: "text", value: "7 degrees" },
      c3: { type: "text", value: "7 degrees" },
    });
  });

  it("hands the very request context of the run to the tool, with the thread's own ids", async () => {
    const seen: Loose[] = [];
    const { ai } = await adapted(async (_input, context) => {
      seen.push([context.requestContext.get("user"), context.agent.threadId, context.agent.resourceId]);
      context.requestContext.set("seen", true);
      return "ok";
    });
    const { model } = scripted([call("c1")]);
    const { agent } = agentOf({ model, tools: ai.toolsFor });
    const requestContext = new RequestContext([["user", { name: "ada" }]] as Loose) as Loose;
    await settle(loop, agent[loop]("go", { memory, requestContext }));
    expect(seen).toEqual([[{ name: "ada" }, "t", "r"]]);
    expect(seen[0][0]).toBe(requestContext.get("user"));
    expect(requestContext.get("seen")).toBe(true);
  });

  it("makes the tools of each request from its own context, and mixes none", async () => {
    const { hg } = await adapted();
    const ai = hg.adaptTo(mastra);
    const within = (user: unknown) =>
      ai.within({ visible: user === "ada" ? {} : { deny: { ids: ["forecast"] } } });
    const tools = ({ requestContext }: Loose) =>
      within(requestContext.get("user")).toolsFor({ requestContext });
    const values = await Promise.all(
      ["ada", "eve"].map(async (user) => {
        const { model, sent } = scripted([call("c1")]);
        const { agent } = agentOf({ model, tools });
        const requestContext = new RequestContext([["user", user]] as Loose);
        await settle(loop, agent[loop]("go", { memory, requestContext }));
        return resultsIn(sent[1]?.prompt ?? [])["c1"].value;
      }),
    );
    expect(values).toMatchObject(["7 degrees", { isError: true, error: "unknown_tool" }]);
  });
});

describe("the result of a call", () => {
  it("is cut to the application's limit for the model, and whole for the application", async () => {
    const hg = honeyguide({ maxResultChars: 50 });
    const ai = hg.adaptTo(mastra);
    const long = { text: "x".repeat(500) };
    await ai.tools.register({
      long: createTool({ id: "long", description: "Long", execute: async () => long }),
    });
    const { model, sent } = scripted([["c1", "invoke_tool", { toolId: "long" }]]);
    const { agent } = agentOf({ model, tools: ai.toolsFor });
    const { chunks } = await settle("stream", agent.stream("go", { memory }));
    expect(JSON.stringify(resultsIn(sent[1]?.prompt ?? [])["c1"]).length).toBeLessThan(300);
    expect(chunks.find(({ type }) => type === "tool-result").payload.result).toEqual(long);
  });

  it("is shown as the tool shows it, though a parallel call of another tool gave the same object or text", async () => {
    const ai = honeyguide().adaptTo(mastra);
    const shown = (id: string, output: unknown) =>
      createTool({
        id,
        description: id,
        execute: async () => output,
        toModelOutput: () => ({ type: "text", value: `shown by ${id}` }),
      });
    await ai.tools.register({
      a: shown("a", { same: 1 }),
      b: shown("b", { same: 1 }),
      c: shown("c", "text of c"),
      d: createTool({ id: "d", description: "d", execute: async () => "text of d" }),
    });
    const made = ["a", "b", "c", "d", "c"].map((toolId, n) => [`c${n}`, "invoke_tool", { toolId }] as const);
    const { model, sent } = scripted(made);
    const { agent } = agentOf({ model, tools: ai.toolsFor });
    await settle("stream", agent.stream("go", { memory }));
    const values = Object.values(resultsIn(sent[1]?.prompt ?? [])).map(({ value }) => value);
    expect(values).toEqual(["shown by a", "shown by b", "shown by c", "text of d", "shown by c"]);
  });
});
