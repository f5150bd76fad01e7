// The checks of the testkit, for each major and both loops; and the features that only tools of the AI SDK have.

import { readFileSync } from "node:fs";
import { conformance, type Feature } from "@honeyguide/testkit";
import { type ToolSet, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loops, type Message, major, oldest } from "./agent.js";
import { harnessOf } from "./harness.js";

const inputSchema = z.object({ n: z.coerce.number().default(1), tag: z.string().optional() });
const described = { description: "A tool of the differential tests", inputSchema };

const features: Record<string, Feature<ToolSet[string]>> = {
  "arguments as the tool's own schema leaves them, and every option": (note) =>
    tool({ ...described, execute: (input, options) => note(input, own(options)) }),
  "an empty stream": () => tool({ ...described, async *execute(): AsyncGenerator<number> {} }),
  "content for the model": () =>
    ({
      ...tool({ ...described, execute: () => "picture" }),
      toModelOutput: () => ({ type: "content", value: [{ type: "text", text: "a picture" }] }),
    }) as ToolSet[string],
  "a hook for its input": (note) =>
    ({
      ...tool({ ...described, execute: () => "done" }),
      onInputAvailable: ({ input }: Message) => note("available", input),
    }) as ToolSet[string],
  "hooks while the input streams": (note) =>
    ({
      ...tool({ ...described, execute: () => "done" }),
      onInputStart: () => note("start"),
      onInputDelta: ({ inputTextDelta }: Message) => note("delta", inputTextDelta),
      onInputAvailable: () => note("available"),
    }) as ToolSet[string],
  ...(major < 6
    ? {}
    : {
        "an approval that is told the options": (note) =>
          ({
            ...tool({ ...described, execute: (input) => note("ran", input) }),
            needsApproval: (input: Message, options: Message) => {
              note("asked", input, own(options));
              return input.n > 5;
            },
          }) as ToolSet[string],
      }),
};

function own({ toolCallId, messages, experimental_context, context }: Message): unknown {
  // The call itself stands in the messages once it was asked about: there the name and the envelope differ.
  const roles = messages.map(({ role }: Message) => role);
  return { toolCallId, roles, context: experimental_context ?? context };
}

/** Without a stream there is no input that streams, and no hook for it; the oldest versions call none at all then. */
const differences = (loop: (typeof loops)[number]): Record<string, string> =>
  loop === "streamText" || oldest
    ? {
        "the same, directly and through invoke_tool: hooks while the input streams":
          "while input streams, nobody knows whose it is",
      }
    : {};

describe.each(loops)("%s", (loop) => {
  const harness = { ...harnessOf(loop), features, differences: differences(loop) };
  for (const { name, run } of conformance(harness)) it(name, run);

  it("differs only in what is listed for everybody to read", () => {
    const page = readFileSync(new URL("../../testkit/differences.md", import.meta.url), "utf8");
    for (const check of Object.keys(harness.differences)) {
      expect(page).toContain(`\`${check.split(": ").at(-1)}\``);
    }
  });
});
