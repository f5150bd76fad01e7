// Which tools are catalogued and as what, which stay with Mastra, and what becomes of those that cannot be read.

import { createTool } from "@mastra/core/tools";
import { jsonSchema, tool } from "ai";
import { honeyguide } from "honeyguide";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { mastra } from "../src/index.js";
import { agentOf, type Loose, scripted, settle } from "./agent.js";

const execute = async () => "ran";

async function register(tools: Loose) {
  const hg = honeyguide();
  const ai = hg.adaptTo(mastra);
  return { hg, ai, registration: await ai.tools.register(tools) };
}

describe("schemas", () => {
  const plain = {
    type: "object",
    properties: { city: { type: "string", description: "which" } },
    required: ["city"],
  };
  const of = (inputSchema: Loose) => createTool({ id: "x", description: "Forecast", inputSchema, execute });
  it.each<[string, () => Loose]>([
    ["zod 4", () => of(z.object({ city: z.string().describe("which") }))],
    ["zod 3", () => of(z3.object({ city: z3.string().describe("which") }))],
    ["JSON Schema", () => of(plain)],
    ["zod 4 in a tool of the AI SDK", () => sdk(z.object({ city: z.string().describe("which") }))],
    ["zod 3 in a tool of the AI SDK", () => sdk(z3.object({ city: z3.string().describe("which") }))],
    ["jsonSchema() in a tool of the AI SDK", () => sdk(jsonSchema(plain as Loose))],
    ["a lazy schema in a tool of the AI SDK", () => sdk(() => jsonSchema(plain as Loose))],
  ])("of %s keep their fields", async (_what, make) => {
    const { hg, registration } = await register({ forecast: make() });
    expect(registration).toMatchObject({ added: 1, diagnostics: [] });
    expect(hg.tools.get("forecast")?.inputSchema).toMatchObject({
      type: "object",
      properties: { city: { type: "string", description: "which" } },
      required: ["city"],
    });
  });

  it.each<[string, () => Loose]>([
    ["are only there asynchronously", () => sdk(jsonSchema(Promise.resolve(plain) as Loose))],
    ["refer to themselves as objects", () => sdk(jsonSchema(circular()))],
    ["come from a library without a JSON Schema", () => sdk(v.object({ city: v.string() }))],
    ["come from one in a tool of Mastra", () => of(v.object({ city: v.string() }))],
    [
      "lost all their fields",
      () => sdk({ ...jsonSchema({ type: "object", properties: {} }), shape: { city: {} } }),
    ],
  ])("that %s are reported with the tool's name, and the others stand", async (_what, make) => {
    const { registration, hg } = await register({ bad: make(), good: of(plain) });
    expect(registration).toMatchObject({ added: 1, diagnostics: [{ id: "bad", severity: "error" }] });
    expect(hg.tools.get("good")).not.toBeNull();
  });

  it("that are not there take no arguments", async () => {
    const { registration, hg } = await register({
      now: createTool({ id: "now", description: "The time", execute }),
    });
    expect([registration.added, hg.tools.search("time")[0]?.id]).toEqual([1, "now"]);
  });

  function sdk(inputSchema: Loose): Loose {
    return { ...tool({ description: "Forecast", inputSchema: z.object({}), execute }), inputSchema };
  }

  function circular(): Loose {
    const schema: Loose = { type: "object", properties: {} };
    schema.properties.self = schema;
    return schema;
  }
});

describe("a catalogued tool", () => {
  it("is called by its key, not by its id, and keeps its title, its server and its annotations", async () => {
    const of = createTool({
      id: "another-id",
      title: "The title",
      description: "From an MCP server",
      execute,
      mcp: { annotations: { readOnlyHint: true } },
      mcpMetadata: { serverName: "github" },
    } as Loose);
    const { hg } = await register({ github_list: of });
    expect(hg.tools.get("github_list")).toMatchObject({
      id: "github_list",
      // Older versions drop it.
      ...(of.title === undefined ? {} : { title: "The title" }),
      server: "github",
      annotations: { readOnlyHint: true },
    });
    expect(hg.tools.get("another-id")).toBeNull();
  });

  it("says that it requires approval when it always or sometimes asks", async () => {
    const guarded = (more: Loose) => Object.assign(createTool({ id: "x", description: "x", execute }), more);
    const { hg } = await register({
      always: guarded({ requireApproval: true }),
      sometimes: guarded({ requireApproval: () => false }),
      byServer: guarded({ needsApprovalFn: () => false }),
      sdk: { ...tool({ description: "x", inputSchema: z.object({}), execute }), needsApproval: true },
      never: guarded({ requireApproval: false }),
    });
    const ids = ["always", "sometimes", "byServer", "sdk", "never"];
    expect(ids.map((id) => hg.tools.get(id)?.requiresApproval ?? false)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it("runs from host code too", async () => {
    const look = createTool({
      id: "look",
      description: "Looks",
      inputSchema: z.object({ n: z.number().default(3) }),
      execute: async ({ n }, { requestContext }) => [n, requestContext.get("user")],
    });
    const { hg } = await register({ look });
    expect(await hg.tools.invoke("look", {})).toEqual([3, undefined]);
    const context = new Map([["user", "ada"]]);
    expect(await hg.tools.invoke("look", { n: 4 }, { context })).toEqual([4, "ada"]);
  });
});

describe("a tool that stays with Mastra", () => {
  const kept: Record<string, Loose> = {
    client: createTool({ id: "client", description: "Asks the user" }),
    provided: { type: "provider-defined", id: "openai.web_search", name: "web_search", args: {} },
    slow: createTool({ id: "slow", description: "Slow", execute, background: { enabled: true } }),
    discreet: createTool({
      id: "discreet",
      description: "Discreet",
      execute,
      transform: { display: {} },
    } as Loose),
  };

  it("is listed with the reason, and is among the model's tools as the very object it was", async () => {
    const { ai, registration } = await register(kept);
    expect(registration.added).toBe(0);
    expect(registration.passthrough.map(({ id, reason }) => [id, reason.split(":")[0]])).toEqual([
      ["client", "no execute"],
      ["provided", "provider-defined"],
      ["slow", "background"],
      ["discreet", "transform"],
    ]);
    for (const [id, each] of Object.entries(kept)) {
      expect(ai.modelTools()[id]).toBe(each);
      expect(ai.toolsFor({})[id]).toBe(each);
    }
  });

  it("reaches the model behind the three", async () => {
    const { ai } = await register({ client: kept["client"] });
    const { model, sent } = scripted("nothing");
    const { agent } = agentOf({ model, tools: ai.toolsFor });
    await settle("generate", agent.generate("go", { memory: { thread: "t", resource: "r" } }));
    expect(sent[0]?.tools.map(({ name }) => name)).toEqual([
      "search_capabilities",
      "invoke_tool",
      "get_skill_content",
      "client",
    ]);
  });
});
