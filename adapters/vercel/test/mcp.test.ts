// The tools of an MCP server, by the framework's own MCP client of each major: catalogued whole, and called with nothing lost.

import * as mcp from "@ai-sdk/mcp";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { jsonSchema, type ToolSet, tool } from "ai";
import { honeyguide, type SearchResult } from "honeyguide";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, major, resultsIn, run, scripted } from "./agent.js";

const image = { type: "image", data: "aGk=", mimeType: "image/png" };
const link = { type: "resource_link", uri: "file:///a.txt", name: "a" };

/** What a server can answer, by the name of the tool that does. */
const answers: Record<string, Message> = {
  text: { content: [{ type: "text", text: "hello" }] },
  two_texts: {
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
  },
  picture: { content: [{ type: "text", text: "a picture" }, image] },
  sound: { content: [{ type: "audio", data: "aGk=", mimeType: "audio/wav" }] },
  nothing: { content: [] },
  reference: { content: [link] },
  structured: { content: [{ type: "text", text: '{"degrees":7}' }], structuredContent: { degrees: 7 } },
  failed: { content: [{ type: "text", text: "no such city" }], isError: true },
  failed_structured: {
    content: [{ type: "text", text: "no" }],
    structuredContent: { code: 404 },
    isError: true,
  },
  annotated: { content: [{ type: "text", text: "x" }], _meta: { "example/trace": [1, 2] } },
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server with those tools and one that waits, and the tools as the framework's client sees them. */
async function connected() {
  const server = new McpServer({ name: "answers", version: "1.0.0" });
  for (const [name, answer] of Object.entries(answers)) {
    const about = {
      title: `The ${name}`,
      description: `Answers with ${name}`,
      inputSchema: z.object({ city: z.string().optional() }),
      annotations: { readOnlyHint: true },
    };
    server.registerTool(name, about, async () => structuredClone(answer));
  }
  const waiting: AbortSignal[] = [];
  const about = { description: "Waits until it is told to stop", inputSchema: z.object({}) };
  server.registerTool("wait", about, (_args, { mcpReq: { signal } }) => {
    waiting.push(signal);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ content: [] }), { once: true });
    });
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const sent: Message[] = [];
  const send = near.send.bind(near);
  near.send = (message, options) => {
    sent.push(message);
    return send(message, options);
  };
  await server.connect(far);
  const { createMCPClient, experimental_createMCPClient } = mcp as Message;
  const client = await (createMCPClient ?? experimental_createMCPClient)({
    transport: near,
    clientName: "weather",
    name: "weather",
  });
  closing.push(() => client.close());
  return { tools: (await client.tools()) as ToolSet, waiting, sent };
}

async function adapted(tools: ToolSet) {
  const hg = honeyguide();
  const ai = hg.adaptTo(vercel);
  return { hg, ai, registration: await ai.tools.register(tools) };
}

describe("the tools of an MCP server", () => {
  it("are all catalogued, with their titles, and none is passed through", async () => {
    const { tools } = await connected();
    const { hg, registration } = await adapted(tools);
    expect(registration).toMatchObject({ diagnostics: [], passthrough: [], kept: [] });
    expect(registration.added).toBe(Object.keys(answers).length + 1);
    expect(hg.tools.get("picture")).toMatchObject({
      description: "Answers with picture",
      inputSchema: { type: "object", properties: { city: { type: "string" } } },
    });
  });

  it.runIf(major === 7)("say whose they are and what they do, as far as the client tells", async () => {
    const { tools } = await connected();
    const { hg, ai } = await adapted(tools);
    expect(hg.tools.get("picture")).toMatchObject({
      title: "The picture",
      server: "weather",
      annotations: { readOnlyHint: true },
    });
    const { model, sent } = scripted([["c1", "search_capabilities", { query: "answers with picture" }]]);
    await run("generateText", { model, tools: ai.modelTools() });
    const found: SearchResult = resultsIn(sent[1]?.prompt ?? [])["c1"].value;
    expect(found.tools.groups[0]?.server.name).toBe("weather");
    expect(found.tools.groups[0]?.hits[0]).toMatchObject({
      toolId: "picture",
      annotations: { readOnlyHint: true },
    });
  });
});

describe.each(loops)("%s", (loop) => {
  it.each(Object.keys(answers))(
    "gives the model and the application the same of %s as a direct call",
    async (name) => {
      const { tools } = await connected();
      const { ai } = await adapted(tools);
      const seen = async (through: boolean) => {
        const input = { city: "Oslo" };
        const { model, sent } = scripted([
          ["c1", ...(through ? invoking(name, input) : ([name, input] as const))],
        ]);
        const { content } = await run(loop, { model, tools: through ? ai.modelTools() : tools });
        return {
          shown: resultsIn(sent[1]?.prompt ?? [])["c1"],
          outputs: content.filter(({ type }) => type === "tool-result").map(({ output }) => output),
          errors: content.filter(({ type }) => type === "tool-error").map(({ error }) => String(error)),
        };
      };
      const [direct, through] = [await seen(false), await seen(true)];
      if (major === 5 && name === "structured") {
        // The client of 5 leaves it to others what the model reads: there, what stands twice is said once.
        expect(through.shown.value).toEqual({ ...direct.shown.value, content: [] });
        through.shown = direct.shown;
      }
      expect(through).toEqual(direct);
      // Older clients refuse what they do not know; the newest loses nothing of the server's answer.
      if (major > 6) expect(direct.outputs).toMatchObject([answers[name]]);
    },
  );

  // The client of 5 waits for the server whatever happens, also in a direct call.
  it.skipIf(major < 6)("ends a call that the application gives up as a direct call ends", async () => {
    const { tools, waiting, sent } = await connected();
    const { ai } = await adapted(tools);
    const ended = async (through: boolean) => {
      const before = waiting.length;
      sent.length = 0;
      const controller = new AbortController();
      const { model } = scripted([["c1", ...(through ? invoking("wait", {}) : (["wait", {}] as const))]]);
      const steps: Message[] = [];
      const ran = run(loop, {
        model,
        tools: through ? ai.modelTools() : tools,
        abortSignal: controller.signal,
        onStepFinish: (step: Message) => steps.push(...step.content),
      }).then(
        () => "ended",
        (thrown) => (thrown as Error).name,
      );
      while (waiting.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
      controller.abort();
      const errors = steps.filter(({ type }) => type === "tool-error").map(({ error }) => String(error));
      const end = await ran;
      const call = sent.find(({ method }) => method === "tools/call");
      const cancelled = sent.filter(({ method }) => method === "notifications/cancelled");
      // The server is told of its own id, and of no other.
      return [end, errors, cancelled.map(({ params }) => params.requestId === call.id)];
    };
    expect(await ended(true)).toEqual(await ended(false));
  });
});

/** A tool that waits behind the official client, and what the client tells the server. */
async function waitingBehindClient() {
  const server = new McpServer({ name: "waits", version: "1.0.0" });
  const told: Message[] = [];
  let stopped = 0;
  const about = { description: "Waits until it is told to stop", inputSchema: z.object({}) };
  const started = new Promise<void>((begun) => {
    server.registerTool("wait", about, (_args, { mcpReq: { signal } }) => {
      begun();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ content: [] }), { once: true });
        signal.addEventListener("abort", () => stopped++, { once: true });
      });
    });
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = near.send.bind(near);
  near.send = (message, options) => {
    told.push(message);
    return send(message, options);
  };
  await server.connect(far);
  const client = new Client({ name: "tester", version: "1.0.0" });
  await client.connect(near);
  closing.push(() => client.close());
  const wait = tool({
    description: "Waits",
    inputSchema: jsonSchema({ type: "object", properties: {} }),
    execute: (_args, { abortSignal }) =>
      client.callTool({ name: "wait", arguments: {} }, abortSignal ? { signal: abortSignal } : {}),
  }) as ToolSet[string];
  return { wait, told, started, stopped: () => stopped };
}

describe.each(loops)("%s, with the official client behind a tool,", (loop) => {
  // The framework's own clients tell a server nothing of a call that is given up; this one does.
  it("tells the server of its own call, and of no other, that the application gave it up", async () => {
    const { wait, told, started, stopped } = await waitingBehindClient();
    const { ai } = await adapted({ wait });
    const controller = new AbortController();
    const { model } = scripted([["c1", ...invoking("wait", {})]]);
    const ran = run(loop, { model, tools: ai.modelTools(), abortSignal: controller.signal }).catch(() => {});
    await started;
    controller.abort();
    await ran;
    const call = told.find(({ method }) => method === "tools/call");
    const cancelled = told.filter(({ method }) => method === "notifications/cancelled");
    expect(cancelled.map(({ params }) => params.requestId)).toEqual([call.id]);
    await expect.poll(stopped).toBe(1);
  });
});

function invoking(toolId: string, args: unknown) {
  return ["invoke_tool", { toolId, args }] as const;
}
