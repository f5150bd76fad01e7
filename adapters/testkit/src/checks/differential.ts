// Each feature of a tool, called directly, through invoke_tool, and as a tool that its view lists: the same to the tool, the
// application, the person who is asked, and the model, but for the name and the envelope of invoke_tool.

import assert from "node:assert/strict";
import { type Bench, type Group, objectOf, resultsOf } from "../check.js";
import type { Abilities, Feature, Harness, WantedTool } from "../harness.js";

export const differential: Group = (bench) => {
  const features = { ...common(bench.harness), ...bench.harness.features };
  const ways: Way[] = bench.harness.abilities.listing
    ? ["through invoke_tool", "listed"]
    : ["through invoke_tool"];
  return ways.flatMap((way) =>
    Object.entries(features).map(([what, make]) => ({
      name: `the same, directly and ${way}: ${what}`,
      run: () => compare(bench, make, way),
    })),
  );
};

/** How a tool is called. */
type Way = "directly" | "through invoke_tool" | "listed";

/** The arguments that each feature is called with; all its properties are optional. */
const inputs = [{ n: 7, tag: "x" }, { n: 2 }, {}];

/** How a person answers, where one is asked: not at all, yes, or no. */
const answers = [undefined, true, false];

const described = {
  description: "A tool of the differential checks",
  inputSchema: objectOf({ n: { type: "number" }, tag: { type: "string" } }),
};

async function compare<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
  make: Feature<TheirTool>,
  way: Way,
): Promise<void> {
  for (const input of inputs) {
    for (const answer of answers) {
      const direct = await seen(bench, make, input, answer, "directly");
      assert.deepEqual(await seen(bench, make, input, answer, way), direct);
      if (direct.asked.length === 0) break;
    }
  }
}

/** Everything that one call showed to anybody. */
async function seen<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
  make: Feature<TheirTool>,
  input: unknown,
  answer: boolean | undefined,
  way: Way,
) {
  const { harness } = bench;
  const noted: unknown[] = [];
  const it = make((...what) => noted.push(what));
  const { view } = await bench.adapted({}, { disclosure: { mode: way === "listed" ? "suggest" : "funnel" } });
  if (way !== "directly") assert.deepEqual((await view.tools.register({ it })).diagnostics, []);
  const through = way === "through invoke_tool";
  const outcome = await harness.run({
    tools: way === "directly" ? { it } : view.modelTools(),
    ...(way === "directly" ? {} : { view }),
    turns: [[through ? ["c1", "invoke_tool", { toolId: "it", args: input }] : ["c1", "it", input]]],
    context: { user: "ada" },
    decide: () => answer,
  });
  const { partial, handed, text } = outcome;
  return {
    noted,
    asked: outcome.asked.map((asked) => unwrapped(asked.tool, asked.input)),
    shown: resultsOf(outcome)["c1"]?.shown,
    partial,
    handed,
    text,
  };
}

/** What a question is about, without the envelope. */
function unwrapped(tool: string, input: unknown): unknown[] {
  if (tool !== "invoke_tool") return [tool, input];
  const { toolId, args } = input as { toolId: unknown; args: unknown };
  return [toolId, args];
}

/** The features that tools of every framework have. */
function common<TheirTool, TheirMessage, Extra extends object>(
  harness: Harness<TheirTool, TheirMessage, Extra>,
): Record<string, Feature<TheirTool>> {
  const plain = (execute: WantedTool["execute"], more: Partial<WantedTool> = {}) =>
    harness.tool({ ...described, execute, ...more });
  const always: Record<string, Feature<TheirTool>> = {
    "a value": (note) =>
      plain((args, { id, context }) => {
        note(args, id, context);
        return { n: args.n ?? 0 };
      }),
    "no value": (note) => plain((args): undefined => void note(args)),
    "text, later": () => plain(async ({ n }) => `n is ${n}`),
    null: () => plain(() => null),
    "a nested value": () => plain(() => ({ a: [1, { b: null }], é: "ü" })),
    "an MCP result that failed": () =>
      plain(() => ({ content: [{ type: "text", text: "no" }], isError: true })),
    "a value that looks like a reply": () =>
      plain(() => ({ isError: true, error: "unknown_tool", message: "mine" })),
    "an exception": () =>
      plain(() => {
        throw new TypeError("no");
      }),
    "a rejection with text": () => plain(() => Promise.reject("just text")),
    "another text for the model": () =>
      plain(({ n }) => ({ n }), { show: (output) => `shown ${JSON.stringify(output)}` }),
  };
  return { ...always, ...streaming(harness.abilities, plain), ...guarding(harness.abilities, plain) };
}

type Plain<TheirTool> = (execute: WantedTool["execute"], more?: Partial<WantedTool>) => TheirTool;

function streaming<TheirTool>(
  { streaming: can }: Abilities,
  plain: Plain<TheirTool>,
): Record<string, Feature<TheirTool>> {
  if (!can) return {};
  return {
    "a stream": () =>
      plain(async function* ({ n = 0 }) {
        yield n;
        yield n + 1;
      }),
    "a stream that a plain function gives": () =>
      plain(() =>
        (async function* () {
          yield "half";
          yield "whole";
        })(),
      ),
    "a stream that breaks off": () =>
      plain(async function* () {
        yield 1;
        throw new RangeError("broken off");
      }),
  };
}

function guarding<TheirTool>(
  { approval }: Abilities,
  plain: Plain<TheirTool>,
): Record<string, Feature<TheirTool>> {
  if (!approval) return {};
  const noting: (note: (...what: unknown[]) => void) => WantedTool["execute"] = (note) => (args) => {
    note("ran", args);
    return "ran";
  };
  return {
    "approval, always": (note) => plain(noting(note), { approval: true }),
    "approval, by the arguments": (note) =>
      plain(noting(note), {
        approval: (args) => {
          note("asked", args);
          return args.n > 5;
        },
      }),
  };
}
