// Calls through invoke_tool, beyond what the testkit checks in every framework: the options, outputs and errors of the AI SDK.

import { type ToolSet, tool } from "ai";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, major, resultsIn, run, scripted } from "./agent.js";

async function adapted(tools: ToolSet) {
  const hg = honeyguide();
  const ai = hg.adaptTo(vercel);
  await ai.tools.register(tools);
  return { hg, ai };
}

function invoke(id: string, toolId: string, args: unknown) {
  return [id, "invoke_tool", { toolId, args }] as const;
}

describe.each(loops)("%s", (loop) => {
  it("finds a tool, runs it and shows the model its value", async () => {
    const { ai } = await adapted({
      forecast: tool({
        description: "Weather forecast of a city",
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => ({ city, degrees: 7 }),
      }),
    });
    const { model, sent } = scripted(
      [["c1", "search_capabilities", { query: "weather forecast" }]],
      [invoke("c2", "forecast", { city: "Oslo" })],
      "7 degrees",
    );
    const { text } = await run(loop, { model, tools: ai.modelTools() });
    expect(text).toBe("7 degrees");
    const results = resultsIn(sent[2]?.prompt ?? []);
    expect(results["c1"].value.tools.groups[0].hits[0].toolId).toBe("forecast");
    expect(results["c2"]).toEqual({ type: "json", value: { city: "Oslo", degrees: 7 } });
  });

  it("hands the framework's own options to the target", async () => {
    const seen: Message[] = [];
    const { ai } = await adapted({
      look: tool({
        description: "Looks",
        inputSchema: z.object({}),
        execute: (_input, options) => {
          seen.push(options);
          return "seen";
        },
      }),
    });
    const context = { user: "ada" };
    const { signal } = new AbortController();
    const { model } = scripted([invoke("c1", "look", {})]);
    const given = major < 7 ? { experimental_context: context } : { toolsContext: { invoke_tool: context } };
    await run(loop, { model, tools: ai.modelTools(), abortSignal: signal, ...given });
    expect(seen).toHaveLength(1);
    expect(seen[0].toolCallId).toBe("c1");
    expect(seen[0].messages).toEqual([{ role: "user", content: "please" }]);
    expect(seen[0].abortSignal).toBeInstanceOf(AbortSignal);
    if (major < 7) expect(seen[0].experimental_context).toBe(context);
    else expect(seen[0].context).toEqual(context);
  });

  it("runs a tool of the application's own with the user's context", async () => {
    const { hg, ai } = await adapted({});
    const seen: unknown[] = [];
    hg.tools.register({
      id: "native",
      description: "A native tool",
      inputSchema: { type: "object" },
      execute: (_args, { context, toolCallId }) => {
        seen.push(context, toolCallId);
        return "native";
      },
    });
    const context = { user: "ada" };
    const { model, sent } = scripted([invoke("c1", "native", {})]);
    const given = major < 7 ? { experimental_context: context } : { toolsContext: { invoke_tool: context } };
    await run(loop, { model, tools: ai.modelTools(), ...given });
    expect(seen).toEqual([context, "c1"]);
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"]).toEqual({ type: "text", value: "native" });
  });

  it("gives the target what its own schema makes of the arguments", async () => {
    const seen: unknown[] = [];
    const { ai } = await adapted({
      add: tool({
        description: "Adds",
        inputSchema: z.object({
          by: z.number().default(1),
          name: z.string().transform((name) => name.toUpperCase()),
        }),
        execute: (input) => {
          seen.push(input);
          return 0;
        },
      }),
    });
    const { model } = scripted([invoke("c1", "add", { name: "ada" })]);
    await run(loop, { model, tools: ai.modelTools() });
    expect(seen).toEqual([{ by: 1, name: "ADA" }]);
  });

  it("tells the model what only the target's own schema refuses, and does not run", async () => {
    let runs = 0;
    const { ai } = await adapted({
      even: tool({
        description: "Takes even numbers",
        inputSchema: z.object({ n: z.number().refine((n) => n % 2 === 0, "must be even") }),
        execute: () => ++runs,
      }),
    });
    const { model, sent } = scripted([invoke("c1", "even", { n: 3 })]);
    const { text } = await run(loop, { model, tools: ai.modelTools() });
    expect(text).toBe("done");
    expect(runs).toBe(0);
    const shown = resultsIn(sent[1]?.prompt ?? [])["c1"];
    expect(shown.type).toBe("error-json");
    expect(shown.value).toMatchObject({ isError: true, error: "invalid_arguments", toolId: "even" });
    expect(shown.value.message).toContain("must be even");
  });

  it("shows the target's result as the target's own toModelOutput does", async () => {
    const { ai } = await adapted({
      greet: {
        ...tool({
          description: "Greets",
          inputSchema: z.object({ name: z.string() }),
          execute: ({ name }) => ({ name }),
        }),
        toModelOutput: (given: Message) =>
          text(
            major === 5
              ? `hello ${given.name}`
              : `hello ${given.output.name}, ${given.input.name}, ${given.toolCallId}`,
          ),
      },
      other: tool({ description: "Other", inputSchema: z.object({}), execute: () => ({ name: "x" }) }),
    });
    const { model, sent } = scripted([invoke("c1", "greet", { name: "Ada" }), invoke("c2", "other", {})]);
    await run(loop, { model, tools: ai.modelTools() });
    const results = resultsIn(sent[1]?.prompt ?? []);
    expect(results["c1"]).toEqual({ type: "text", value: major === 5 ? "hello Ada" : "hello Ada, Ada, c1" });
    expect(results["c2"]).toEqual({ type: "json", value: { name: "x" } });
  });

  it("does not show the result of a tool that took another's place as the other's", async () => {
    const { hg, ai } = await adapted({
      replace: tool({
        description: "Replaces",
        inputSchema: z.object({}),
        execute: () => {
          hg.tools.register({
            id: "old",
            description: "New",
            inputSchema: {},
            execute: () => ({ is: "new" }),
          });
          return "replaced";
        },
      }),
      old: {
        ...tool({ description: "Old", inputSchema: z.object({}), execute: () => ({ is: "old" }) }),
        toModelOutput: () => text("shown by the old one"),
      },
    });
    const { model, sent } = scripted([invoke("c1", "replace", {}), invoke("c2", "old", {})]);
    await run(loop, { model, tools: ai.modelTools() });
    expect(resultsIn(sent[1]?.prompt ?? [])["c2"]).toEqual({ type: "json", value: { is: "new" } });
  });

  it("gives three parallel calls three results: one value, one exception, one abort; and the next turn validates", async () => {
    const { ai } = await adapted({
      works: tool({ description: "Works", inputSchema: z.object({}), execute: async () => "fine" }),
      throws: tool({
        description: "Throws",
        inputSchema: z.object({}),
        execute: async (): Promise<string> => {
          throw new RangeError("out of range");
        },
      }),
      aborts: tool({
        description: "Aborts",
        inputSchema: z.object({}),
        execute: async (): Promise<string> => {
          throw new DOMException("given up", "AbortError");
        },
      }),
    });
    const { model, sent } = scripted(
      [invoke("c1", "works", {}), invoke("c2", "throws", {}), invoke("c3", "aborts", {})],
      "first",
      "second",
    );
    const tools = ai.modelTools();
    const messages: Message[] = [{ role: "user", content: "go" }];
    const first = await run(loop, { model, tools, messages });
    expect(resultsIn(sent[1]?.prompt ?? [])).toEqual({
      c1: { type: "text", value: "fine" },
      c2: { type: "error-text", value: major < 7 ? "out of range" : "RangeError: out of range" },
      c3: { type: "error-text", value: major < 7 ? "given up" : "AbortError: given up" },
    });
    const errors = first.content.filter((part) => part.type === "tool-error").map((part) => part.error);
    expect(errors[0]).toBeInstanceOf(RangeError);
    const next = await run(loop, {
      model,
      tools,
      messages: [...messages, ...first.messages, { role: "user", content: "and now" }],
    });
    expect(next.text).toBe("second");
    expect(Object.keys(resultsIn(sent[2]?.prompt ?? [])).sort()).toEqual(["c1", "c2", "c3"]);
  });

  it("waits for an aborted target as the framework does, and leaves a result for each call", async () => {
    const controller = new AbortController();
    const { ai } = await adapted({
      slow: tool({
        description: "Slow",
        inputSchema: z.object({}),
        execute: (_input, { abortSignal }) =>
          new Promise<string>((_resolve, reject) => {
            // Cleaning up takes a while, and the framework waits for it.
            const cleanUp = () => setTimeout(() => reject(new Error("cleaned up")), 20);
            abortSignal?.addEventListener("abort", cleanUp, { once: true });
            controller.abort();
          }),
      }),
    });
    const { model } = scripted([invoke("c1", "slow", {})]);
    const ended: Message[] = [];
    const options = {
      model,
      tools: ai.modelTools(),
      abortSignal: controller.signal,
      onStepFinish: (step: Message) => ended.push(...step.content),
    };
    await run(loop, options).catch(() => {});
    // The stream of an aborted run is cut before its step ends; generateText reports the step.
    if (loop === "generateText") {
      expect(ended.filter((part) => part.type === "tool-error")).toMatchObject([{ toolCallId: "c1" }]);
      expect(String(ended.find((part) => part.type === "tool-error").error)).toContain("cleaned up");
    }
  });

  it("leaves a call with a forbidden key to the framework", async () => {
    const { ai } = await adapted({
      greet: tool({ description: "Greets", inputSchema: z.object({}), execute: () => "ran" }),
    });
    const { model, sent } = scripted([
      ["c1", "invoke_tool", '{"toolId":"greet","args":{"__proto__":{"x":1}}}'],
    ]);
    await run(loop, { model, tools: ai.modelTools(), repairToolCall: ai.repairToolCall });
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"].type).toBe("error-text");
  });
});

function text(value: string) {
  return { type: "text" as const, value };
}
