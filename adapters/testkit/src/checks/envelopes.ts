// What models make of invoke_tool: envelopes that can be repaired are, mistakes are answered so that the run goes on.

import assert from "node:assert/strict";
import { type Bench, type Group, group, objectOf, readOf, replyOf, text } from "../check.js";
import type { ModelCall } from "../harness.js";

const repairable: Readonly<Record<string, unknown>> = {
  "arguments beside the id": { toolId: "greet", name: "Ada" },
  "the id inside the arguments": { args: { toolId: "greet", name: "Ada" } },
  "arguments as JSON text": { toolId: "greet", args: '{"name":"Ada"}' },
};

const mistakes: Readonly<Record<string, readonly [input: unknown, error: string]>> = {
  "an empty object": [{}, "invalid_arguments"],
  "a number": [7, "invalid_arguments"],
  null: ["null", "invalid_arguments"],
  "text in place of an object": ['"greet"', "invalid_arguments"],
  "an array": [[], "invalid_arguments"],
  "an id that is no text": [{ toolId: 7, args: {} }, "invalid_arguments"],
  "arguments that are no object": [{ toolId: "greet", args: 7 }, "invalid_arguments"],
  "no arguments": [{ toolId: "greet" }, "invalid_arguments"],
  "an argument of the wrong type": [{ toolId: "greet", args: { name: 7 } }, "invalid_arguments"],
  "an unknown id": [{ toolId: "gret", args: { name: "Ada" } }, "unknown_tool"],
};

export const envelopes: Group = (bench) => {
  const { directCalls, brokenJson } = bench.harness.abilities;
  return group("envelopes", {
    ...Object.fromEntries(
      Object.entries(repairable).map(([what, input]) => [
        `${what} are repaired`,
        async () => {
          const { outcome, ran } = await called(bench, ["c1", "invoke_tool", input]);
          assert.deepEqual(ran, [{ name: "Ada" }]);
          assert.equal(readOf(outcome, "c1"), "hello Ada");
        },
      ]),
    ),

    ...Object.fromEntries(
      Object.entries(mistakes).map(([what, [input, error]]) => [
        `${what} is answered, nothing runs, and the run goes on`,
        async () => {
          const { outcome, ran } = await called(bench, ["c1", "invoke_tool", input]);
          assert.equal(replyOf(outcome, "c1").error, error);
          assert.deepEqual(ran, []);
          assert.equal(outcome.text, "done");
        },
      ]),
    ),

    "input that is not JSON runs nothing, and the run goes on": async () => {
      const { outcome, ran } = await called(bench, ["c1", "invoke_tool", '{"toolId": "greet", "args": {']);
      if (brokenJson) assert.equal(replyOf(outcome, "c1").error, "invalid_arguments");
      else assert.notEqual(readOf(outcome, "c1"), undefined);
      assert.deepEqual(ran, []);
      assert.equal(outcome.text, "done");
    },

    ...(directCalls
      ? {
          "a found tool that the model calls by its own name runs, with every check": async () => {
            const good = await called(bench, ["c1", "greet", { name: "Ada" }]);
            assert.deepEqual(good.ran, [{ name: "Ada" }]);
            assert.equal(readOf(good.outcome, "c1"), "hello Ada");
            const bad = await called(bench, ["c1", "greet", { name: 7 }]);
            assert.deepEqual(bad.ran, []);
            assert.equal(replyOf(bad.outcome, "c1").error, "invalid_arguments");
          },

          "an unknown tool that the model calls by name is answered with candidates": async () => {
            const { outcome } = await called(bench, ["c1", "gret", { name: "Ada" }]);
            const { error, candidates } = replyOf(outcome, "c1");
            assert.deepEqual([error, candidates], ["unknown_tool", ["greet"]]);
            assert.equal(outcome.text, "done");
          },
        }
      : {}),
  });
};

/** One call by the model, beside a tool that greets. */
async function called<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
  call: ModelCall,
) {
  const ran: unknown[] = [];
  const { view } = await bench.adapted({
    greet: {
      description: "Greets somebody",
      inputSchema: objectOf({ name: text }, "name"),
      execute: (args) => {
        ran.push(args);
        return `hello ${args.name}`;
      },
    },
  });
  return { outcome: await bench.run(view, [[call]]), ran };
}
