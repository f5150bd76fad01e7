// The names are the engine's; a call by a tool's own name becomes one that the engine can judge.
import { describe, expect, it } from "vitest";

import { capabilityNames, toInvocation } from "./capabilities.js";
import { honeyguide } from "./honeyguide.js";

describe("capabilityNames", () => {
  it("are the names of the engine's definitions, in their order", () => {
    expect(
      honeyguide()
        .modelTools()
        .map(({ name }) => name),
    ).toEqual(Object.values(capabilityNames));
  });
});

describe("toInvocation", () => {
  it.each([
    ["JSON, with its numbers as written", '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
    ["nothing as no arguments", "  ", "{}"],
    ["what is not JSON as a string", '{"n": ', '"{\\"n\\": "'],
  ])("keeps %s", (_what, input, args) => {
    expect(toInvocation('say "hi"', input)).toBe(`{"toolId":"say \\"hi\\"","args":${args}}`);
  });
});
