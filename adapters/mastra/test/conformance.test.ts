// The checks of the testkit, for both loops and both ways to give an agent its tools; and the features that only tools of
// Mastra have.

import { readFileSync } from "node:fs";
import { conformance, type Feature } from "@honeyguide/testkit";
import type { ToolsInput } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { jsonSchema, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Loop, type Loose, version } from "./agent.js";
import { contextIn, type Giving, harnessOf } from "./harness.js";

const inputSchema = z.object({ n: z.coerce.number().default(1), tag: z.string().optional() });
const described = { id: "it", description: "A tool of the differential tests", inputSchema };

/** A tool with whatever else it is to have. */
function made(more: Loose): ToolsInput[string] {
  return createTool({ ...described, execute: async () => "done", ...more }) as ToolsInput[string];
}

/** What the context says of the call, without what differs from run to run. */
function own({ agent, requestContext, abortSignal, mastra, memory, runId, observe }: Loose): unknown {
  return {
    id: agent.toolCallId,
    agent: agent.agentId,
    thread: [typeof agent.threadId, agent.resourceId],
    messages: agent.messages.map(({ role }: Loose) => role),
    context: contextIn(requestContext),
    there: [abortSignal, mastra, memory, runId, observe].map((each) => each !== undefined),
  };
}

const features: Record<string, Feature<ToolsInput[string]>> = {
  "arguments as the tool's own schema leaves them, and the whole context": (note) =>
    made({ execute: async (input: unknown, context: unknown) => note(input, own(context)) }),
  "a schema that makes another type of its input": (note) =>
    made({
      inputSchema: z.object({
        n: z
          .number()
          .default(3)
          .transform((n) => `number ${n}`),
      }),
      execute: async (input: unknown) => note(input),
    }),
  "input that only the tool's own schema refuses": (note) =>
    made({
      inputSchema: inputSchema.refine(({ n }) => n % 2 === 0, "must be even"),
      execute: async (input: unknown) => note(input),
    }),
  "output that its schema refuses": () =>
    made({ outputSchema: z.object({ degrees: z.number() }), execute: async () => ({ degrees: "seven" }) }),
  "output that its schema changes": () =>
    made({ outputSchema: z.object({ degrees: z.number() }), execute: async () => ({ degrees: 7, more: 1 }) }),
  "a request context that does not fit": (note) =>
    made({
      requestContextSchema: z.object({ user: z.number() }),
      execute: async (input: unknown) => note(input),
    }),
  "a request context that its schema changes": (note) =>
    made({
      requestContextSchema: z.object({ user: z.string().toUpperCase() }),
      execute: async (_input: unknown, { requestContext }: Loose) => note(requestContext.get("user")),
    }),
  "a value that the tool writes to the request context": () =>
    made({
      execute: async ({ n }: Loose, { requestContext }: Loose) => {
        requestContext.set("seen", n);
        return requestContext.get("seen");
      },
    }),
  "hooks for its input and its output": (note) =>
    made({
      onInputAvailable: ({ input, toolCallId }: Loose) => note("available", input, toolCallId),
      onOutput: ({ output, toolCallId }: Loose) => note("output", output, toolCallId),
    }),
  "a hook that throws": () =>
    made({
      onOutput: () => {
        throw new Error("not listening");
      },
    }),
  "content for the model": () =>
    made({
      execute: async () => "picture",
      toModelOutput: () => ({ type: "content", value: [{ type: "text", text: "a picture" }] }),
    }),
  "an approval that is told the request context": (note) =>
    made({
      requireApproval: (input: Loose, { requestContext }: Loose) => {
        note("asked", input, requestContext.user);
        return input.n > 5;
      },
    }),
  "an approval that an MCP client of Mastra put on": (note) =>
    Object.assign(made({ execute: async () => note("ran") }) as object, {
      needsApprovalFn: ({ n }: Loose) => n > 5,
    }) as Loose,
  "a tool of the AI SDK": (note) =>
    tool({
      ...described,
      execute: (input, { toolCallId, messages }) => {
        note(input, toolCallId, messages.length);
        return { n: input.n };
      },
    }) as ToolsInput[string],
  "a tool of the AI SDK with jsonSchema()": (note) =>
    tool({
      description: "plain",
      inputSchema: jsonSchema<{ n?: number }>({ type: "object", properties: { n: { type: "number" } } }),
      execute: (input) => note(input),
    }) as ToolsInput[string],
  "a tool of the AI SDK with an approval and another text for the model": (note) =>
    ({
      ...tool({ ...described, execute: ({ n }) => ({ n }) }),
      needsApproval: ({ n }: Loose) => {
        note("asked");
        return n > 5;
      },
      toModelOutput: (output: Loose) => ({ type: "text", value: `n is ${output.n}` }),
    }) as Loose,
};

const differences = Object.fromEntries(
  ["through invoke_tool", "listed"].map((way) => [
    `the same, directly and ${way}: a schema that makes another type of its input`,
    "Mastra validates a direct call twice, and refuses what the first time made of it",
  ]),
);

/** Both loops and both ways to give tools; with the oldest version one of each, for the time it takes. */
const runs = [["stream", "toolsFor"], ...(version === "newest" ? [["generate", "modelTools"]] : [])] as [
  Loop,
  Giving,
][];

describe.each(runs)("%s, with %s,", (loop, giving) => {
  const harness = harnessOf(loop, giving);
  const listed = { ...harness.differences, ...differences };
  for (const { name, run } of conformance({ ...harness, features, differences: listed })) it(name, run);

  it("differs only in what is listed for everybody to read", () => {
    const page = readFileSync(new URL("../../testkit/differences.md", import.meta.url), "utf8");
    for (const check of Object.keys(listed)) expect(page).toContain(`\`${check.split(": ").at(-1)}\``);
  });
});
