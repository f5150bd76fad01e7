// Each feature of a tool, once called directly and once through invoke_tool: the same to the tool, the model and the callbacks,
// but for the name and the envelope. What differs on purpose is in the README's table and has its own tests.

import { type ModelMessage, type ToolSet, tool } from "ai";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, major, resultsIn, run, scripted } from "./agent.js";

/** What one run showed. */
interface Seen {
  /** What the tool was called with, and by which hook. */
  readonly calls: unknown[];
  readonly preliminary: unknown[];
  readonly approvals: number;
  /** What the model was shown. */
  readonly shown: unknown;
  /** What the application was handed. */
  readonly outputs: unknown[];
}

type Make = (note: (...what: unknown[]) => void) => Message;

const inputSchema = z.object({ n: z.coerce.number().default(1), tag: z.string().optional() });
const described = { description: "A tool of the differential tests", inputSchema };

const features: Record<string, Make> = {
  "a value": (note) =>
    tool({
      ...described,
      execute: (input, options) => {
        note(input, own(options));
        return { n: input.n };
      },
    }),
  "no value": (note) => tool({ ...described, execute: (input): undefined => void note(input) }),
  text: () => tool({ ...described, execute: async ({ n }) => `n is ${n}` }),
  null: () => tool({ ...described, execute: () => null }),
  "a nested value": () => tool({ ...described, execute: () => ({ a: [1, { b: null }], é: "ü" }) }),
  "an MCP result that failed": () =>
    tool({ ...described, execute: () => ({ content: [{ type: "text", text: "no" }], isError: true }) }),
  "a value that looks like a reply": () =>
    tool({ ...described, execute: () => ({ isError: true, error: "unknown_tool", message: "mine" }) }),
  "an exception": () =>
    tool({
      ...described,
      execute: (): string => {
        throw new TypeError("no");
      },
    }),
  "a rejection with something else": () =>
    tool({ ...described, execute: (): Promise<string> => Promise.reject("just text") }),
  "a stream": () =>
    tool({
      ...described,
      async *execute({ n }) {
        yield n;
        yield n + 1;
      },
    }),
  "an empty stream": () =>
    tool({
      ...described,
      async *execute(): AsyncGenerator<number> {},
    }),
  "an output of its own for the model": () => ({
    ...tool({ ...described, execute: ({ n }) => ({ n }) }),
    toModelOutput: (given: Message) => ({
      type: "text",
      value: JSON.stringify(major === 5 ? given : given.output),
    }),
  }),
  "content for the model": () => ({
    ...tool({ ...described, execute: () => "picture" }),
    toModelOutput: () => ({ type: "content", value: [{ type: "text", text: "a picture" }] }),
  }),
  "a hook for its input": (note) => ({
    ...tool({ ...described, execute: () => "done" }),
    onInputAvailable: ({ input }: Message) => note("available", input),
  }),
  approval: (note) => ({ ...tool({ ...described, execute: (input) => note(input) }), needsApproval: true }),
  "approval sometimes": (note) => ({
    ...tool({
      ...described,
      execute: (input) => {
        note(input);
        return "ran";
      },
    }),
    needsApproval: (input: Message, options: Message) => {
      note("asked", input, own(options));
      return input.n > 5;
    },
  }),
};

function own({ toolCallId, messages, experimental_context, context }: Message): unknown {
  return { toolCallId, messages, context: experimental_context ?? context };
}

async function seen(
  loop: (typeof loops)[number],
  make: Make,
  through: boolean,
  args: unknown,
): Promise<Seen> {
  const calls: unknown[] = [];
  const theirs = make((...what) => calls.push(what)) as ToolSet[string];
  const ai = honeyguide().adaptTo(vercel);
  if (through) await ai.tools.register({ it: theirs });
  const { model, sent } = scripted([
    through ? ["c1", "invoke_tool", { toolId: "it", args }] : ["c1", "it", args],
  ]);
  const context = { user: "ada" };
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  const settings =
    major < 7 ? { experimental_context: context } : { toolsContext: contexts(through, context) };
  const tools = through ? ai.modelTools() : { it: theirs };
  const outcome = await run(loop, { model, tools, messages, ...settings });
  const results = outcome.content.filter(({ type }) => type === "tool-result" || type === "tool-error");
  return {
    calls,
    preliminary: outcome.parts.filter((part) => part.preliminary).map((part) => part.output),
    approvals: outcome.content.filter(({ type }) => type === "tool-approval-request").length,
    shown: resultsIn(sent[1]?.prompt ?? [])["c1"],
    outputs: results.map(({ type, output, error }) => [type, output, error]),
  };
}

function contexts(through: boolean, context: unknown): unknown {
  return through ? { invoke_tool: context } : { it: context };
}

describe.each(loops)("%s shows the same, directly and through the funnel, of a tool with", (loop) => {
  // 5 has no approval: there the direct call runs unasked, and the funnel asks the application.
  const names = Object.keys(features).filter((name) => major > 5 || !name.startsWith("approval"));
  it.each(names)("%s", async (feature) => {
    const make = features[feature] as Make;
    for (const args of [{ n: 7, tag: "x" }, { n: 2 }, {}]) {
      const [direct, through] = [await seen(loop, make, false, args), await seen(loop, make, true, args)];
      expect(through).toEqual(direct);
    }
  });
});
