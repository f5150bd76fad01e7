// Which tools are catalogued and as what, which stay with the framework, and what becomes of those that cannot be read.

import { dynamicTool, jsonSchema, type ToolSet, tool } from "ai";
import { honeyguide } from "honeyguide";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { vercel } from "../src/index.js";
import { type Message, major, resultsIn, run, scripted } from "./agent.js";

const execute = () => "ran";

async function register(tools: unknown) {
  const hg = honeyguide();
  const ai = hg.adaptTo(vercel);
  const registration = await ai.tools.register(tools as ToolSet);
  return { hg, ai, registration };
}

describe("schemas", () => {
  const plain = {
    type: "object",
    properties: { city: { type: "string", description: "which" } },
    required: ["city"],
  };
  it.each<[string, unknown]>([
    ["zod 4", z.object({ city: z.string().describe("which") })],
    ["zod 3", z3.object({ city: z3.string().describe("which") })],
    ["jsonSchema()", jsonSchema(plain as Message)],
    ["a promise of JSON Schema", jsonSchema(Promise.resolve(plain) as Message)],
    ["a lazy schema", () => jsonSchema(plain as Message)],
    ["plain JSON Schema", plain],
  ])("of %s keep their fields", async (_what, inputSchema) => {
    const { hg, registration } = await register({
      forecast: { description: "Forecast", inputSchema, execute },
    });
    expect(registration).toMatchObject({ added: 1, diagnostics: [] });
    expect(hg.tools.get("forecast")?.inputSchema).toMatchObject({
      type: "object",
      properties: { city: { type: "string", description: "which" } },
      required: ["city"],
    });
  });

  it("of a library without a JSON Schema are reported with the tool's name, and the others stand", async () => {
    const inputSchema = v.object({ city: v.string() });
    const { hg, registration } = await register({
      bad: { description: "Bad", inputSchema, execute },
      good: { description: "Good", inputSchema: z.object({}), execute },
    });
    expect(registration.added).toBe(1);
    expect(registration.diagnostics).toMatchObject([{ id: "bad", severity: "error" }]);
    expect(hg.tools.get("good")).not.toBeNull();
  });

  it("that lost all their fields are reported", async () => {
    const emptied = { ...jsonSchema({ type: "object", properties: {} }), shape: { city: {} } };
    const { registration } = await register({ bad: { description: "Bad", inputSchema: emptied, execute } });
    expect(registration).toMatchObject({ added: 0, diagnostics: [{ id: "bad", severity: "error" }] });
  });

  it("that refer to themselves as objects are reported", async () => {
    const circular: Message = { type: "object", properties: {} };
    circular.properties.self = circular;
    const { registration } = await register({
      bad: { description: "Bad", inputSchema: jsonSchema(circular), execute },
      good: { description: "Good", inputSchema: z.object({}), execute },
    });
    expect(registration).toMatchObject({ added: 1, diagnostics: [{ id: "bad", severity: "error" }] });
  });
});

describe("a catalogued tool", () => {
  it("may be dynamic, and have a title, metadata and provider options", async () => {
    const { hg, registration } = await register({
      a: dynamicTool({ description: "Dynamic", inputSchema: jsonSchema({ type: "object" }), execute }),
      b: {
        title: "The title",
        description: "From an MCP server",
        metadata: { clientName: "github", toolName: "b" },
        providerOptions: { openai: { strict: true } },
        strict: true,
        inputSchema: z.object({}),
        execute,
      },
    });
    expect(registration).toMatchObject({ added: 2, diagnostics: [], passthrough: [] });
    expect(hg.tools.get("b")).toMatchObject({ id: "b", title: "The title", server: "github" });
  });

  it("says that it requires approval when it always or sometimes asks", async () => {
    const guarded = (needsApproval: unknown) => ({
      description: "x",
      inputSchema: z.object({}),
      execute,
      needsApproval,
    });
    const { hg } = await register({
      always: guarded(true),
      sometimes: guarded(() => false),
      never: guarded(false),
    });
    const said = ["always", "sometimes", "never"].map((id) => hg.tools.get(id)?.requiresApproval ?? false);
    expect(said).toEqual([true, true, false]);
  });

  it("may come in several records", async () => {
    const one = tool({ description: "x", inputSchema: z.object({}), execute });
    const { registration, hg } = await register([{ a: one }, { b: one }]);
    expect([registration.added, hg.tools.size]).toEqual([2, 2]);
  });

  it("keeps its class with private fields, and may be frozen", async () => {
    class Counter {
      #count = 0;
      readonly description = "Counts";
      readonly inputSchema = z.object({});
      execute() {
        return ++this.#count;
      }
    }
    const frozen = Object.freeze({ description: "Frozen", inputSchema: z.object({}), execute });
    const { ai, registration } = await register({ counter: new Counter(), frozen });
    expect(registration).toMatchObject({ added: 2, diagnostics: [] });
    const { model, sent } = scripted([
      ["c1", "invoke_tool", { toolId: "counter" }],
      ["c2", "invoke_tool", { toolId: "frozen" }],
    ]);
    await run("generateText", { model, tools: ai.modelTools() });
    expect(resultsIn(sent[1]?.prompt ?? [])).toEqual({
      c1: { type: "json", value: 1 },
      c2: { type: "text", value: "ran" },
    });
  });

  it("is not changed by being registered and called", async () => {
    const given: Message = {
      description: "x",
      inputSchema: z.object({ a: z.string() }),
      execute,
      metadata: { m: [1] },
    };
    const tools = { given };
    const before = [Object.keys(given), given.inputSchema, structuredClone(given.metadata)];
    const { ai } = await register(tools);
    const { model } = scripted([["c1", "invoke_tool", { toolId: "given", args: { a: "b" } }]]);
    await run("generateText", { model, tools: ai.modelTools() });
    expect([Object.keys(given), given.inputSchema, given.metadata]).toEqual(before);
    expect(Object.keys(tools)).toEqual(["given"]);
  });

  it("runs from host code too, with options of the framework's shape", async () => {
    const seen: Message[] = [];
    const { hg } = await register({
      look: {
        description: "Looks",
        inputSchema: z.object({ n: z.number().default(3) }),
        execute: (input: unknown, options: unknown) => {
          seen.push(input, options);
          return "seen";
        },
      },
    });
    const context = { user: "ada" };
    expect(await hg.tools.invoke("look", {}, { context })).toBe("seen");
    expect(seen[0]).toEqual({ n: 3 });
    expect(seen[1]).toMatchObject({ messages: [], experimental_context: context, context });
    expect(seen[1].toolCallId).toEqual(expect.any(String));
  });
});

describe("a tool that stays with the framework", () => {
  const client = { description: "Asks the user", inputSchema: z.object({}) };
  const provided = {
    type: major === 5 ? "provider-defined" : "provider",
    id: "openai.web_search",
    name: "web_search",
    args: {},
    inputSchema: z.object({}),
    isProviderExecuted: true,
  };

  it("is listed with the reason", async () => {
    const { registration } = await register({ client, provided });
    expect(registration.passthrough.map(({ id }) => id)).toEqual(["client", "provided"]);
    const reasons = registration.passthrough.map(({ reason }) => reason.split(":")[0]);
    expect(reasons).toEqual(["no execute", "provider-executed"]);
    expect(registration.added).toBe(0);
  });

  it("is among the model's tools, as the very object it was", async () => {
    const { ai } = await register({ client, provided });
    const tools: Message = ai.modelTools();
    expect(tools.client).toBe(client);
    expect(tools.provided).toBe(provided);
    const { model, sent } = scripted("nothing");
    await run("generateText", { model, tools });
    expect(sent[0]?.tools.map((each: Message) => each.name)).toEqual([
      "search_capabilities",
      "invoke_tool",
      "get_skill_content",
      "client",
      "provided",
    ]);
  });
});

describe("bad input", () => {
  it("such as a getter that throws is reported, and the others stand", async () => {
    const { registration } = await register({
      bad: {
        get description(): string {
          throw new Error("no description today");
        },
        inputSchema: z.object({}),
        execute,
      },
      good: { description: "Good", inputSchema: z.object({}), execute },
    });
    expect(registration).toMatchObject({ added: 1, diagnostics: [{ id: "bad", severity: "error" }] });
    expect(registration.diagnostics[0]?.message).toContain("no description today");
  });

  it("such as something that is no tool is reported, and the others stand", async () => {
    const { registration } = await register({
      nothing: undefined,
      text: "a tool",
      good: { description: "Good", inputSchema: z.object({}), execute },
    });
    expect(registration.added).toBe(1);
    expect(registration.diagnostics.map(({ id }) => id)).toEqual(["nothing", "text"]);
  });

  it.each(["search_capabilities", "invoke_tool", "get_skill_content"])(
    "such as the reserved id %s",
    async (id) => {
      const { registration } = await register({
        [id]: { description: "Mine", inputSchema: z.object({}), execute },
        good: { description: "Good", inputSchema: z.object({}), execute },
      });
      expect(registration).toMatchObject({ added: 1, diagnostics: [{ code: "reserved_id", id }] });
    },
  );

  it("such as an id that another view holds leaves the first", async () => {
    const { hg, registration } = await register({
      a: { description: "First", inputSchema: z.object({}), execute },
    });
    expect(registration.kept).toEqual([]);
    const other = hg.adaptTo(vercel);
    const second = await other.tools.register({
      a: tool({ description: "Second", inputSchema: z.object({}), execute }),
    });
    expect(second.kept).toEqual(["a"]);
    expect(hg.tools.get("a")?.description).toBe("First");
  });
});
