// Tools that stream: their preliminary results reach the application, their last one the model.

import { type ToolSet, tool } from "ai";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, type Outcome, resultsIn, run, scripted } from "./agent.js";

const call = ["c1", "invoke_tool", { toolId: "count", args: {} }] as const;

async function adapted(execute: () => unknown) {
  const hg = honeyguide();
  const ai = hg.adaptTo(vercel);
  const counting = tool({ description: "Counts", inputSchema: z.object({}), execute: () => 0 });
  await ai.tools.register({ count: { ...counting, execute } as ToolSet[string] });
  return { hg, ai };
}

function preliminary({ parts }: Outcome): unknown[] {
  return parts.filter((part) => part.type === "tool-result" && part.preliminary).map((part) => part.output);
}

describe.each(loops)("%s", (loop) => {
  const streamed = (...outputs: unknown[]) => (loop === "streamText" ? outputs : []);

  it("streams an async generator through", async () => {
    const { ai } = await adapted(async function* () {
      yield { n: 1 };
      yield { n: 2 };
    });
    const { model, sent } = scripted([call]);
    const outcome = await run(loop, { model, tools: ai.modelTools() });
    expect(preliminary(outcome)).toEqual(streamed({ n: 1 }, { n: 2 }));
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"]).toEqual({ type: "json", value: { n: 2 } });
  });

  it("streams an iterable that a plain function gives", async () => {
    async function* counted() {
      yield 1;
      yield 2;
    }
    const { ai } = await adapted(() => counted());
    const { model } = scripted([call]);
    expect(preliminary(await run(loop, { model, tools: ai.modelTools() }))).toEqual(streamed(1, 2));
  });

  it("adds no preliminary result to a tool that does not stream", async () => {
    const { ai } = await adapted(async () => 1);
    const { model } = scripted([call]);
    const outcome = await run(loop, { model, tools: ai.modelTools() });
    expect(preliminary(outcome)).toEqual([]);
    expect(outcome.content.filter((part) => part.type === "tool-result").map((part) => part.output)).toEqual([
      1,
    ]);
  });

  it("makes an exception in the middle of a stream the framework's tool error", async () => {
    const { ai } = await adapted(async function* () {
      yield 1;
      throw new RangeError("broken off");
    });
    const { model, sent } = scripted([call]);
    const outcome = await run(loop, { model, tools: ai.modelTools() });
    const errors = outcome.content.filter((part) => part.type === "tool-error");
    expect(errors.map((part) => part.error)).toEqual([new RangeError("broken off")]);
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"].type).toBe("error-text");
  });

  it("lets a stream that is given up clean up", async () => {
    const controller = new AbortController();
    let cleaned = false;
    const { ai } = await adapted(async function* () {
      try {
        yield 1;
        controller.abort();
        controller.signal.throwIfAborted();
      } finally {
        cleaned = true;
      }
    });
    const { model } = scripted([call]);
    await run(loop, { model, tools: ai.modelTools(), abortSignal: controller.signal }).catch(() => {});
    expect(cleaned).toBe(true);
  });

  it("streams a tool of the application's own", async () => {
    const { hg, ai } = await adapted(() => 0);
    hg.tools.register({
      id: "count",
      description: "Counts",
      inputSchema: { type: "object" },
      async *execute() {
        yield 1;
        yield 2;
      },
    });
    const { model, sent } = scripted([call]);
    expect(preliminary(await run(loop, { model, tools: ai.modelTools() }))).toEqual(streamed(1, 2));
    expect(resultsIn(sent[1]?.prompt ?? [])["c1"]).toEqual({ type: "json", value: 2 });
  });

  it("does not mix the streams of parallel calls", async () => {
    const hg = honeyguide();
    const ai = hg.adaptTo(vercel);
    const letters = tool({
      description: "Says a letter twice",
      inputSchema: z.object({ letter: z.string() }),
      async *execute({ letter }) {
        yield letter;
        await Promise.resolve();
        yield letter + letter;
      },
    });
    await ai.tools.register({ letters });
    const calls = ["a", "b", "c"].map(
      (letter) => [letter, "invoke_tool", { toolId: "letters", args: { letter } }] as const,
    );
    const { model, sent } = scripted(calls);
    const outcome = await run(loop, { model, tools: ai.modelTools() });
    const results = resultsIn(sent[1]?.prompt ?? []);
    expect(results).toEqual({
      a: { type: "text", value: "aa" },
      b: { type: "text", value: "bb" },
      c: { type: "text", value: "cc" },
    });
    for (const part of outcome.parts.filter((each: Message) => each.preliminary)) {
      expect(part.output[0]).toBe(part.toolCallId);
    }
  });
});
