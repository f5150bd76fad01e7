// One check, and what every check does: register tools, have the model call them, look at what came back.
// Knows nothing of what is checked.

import assert from "node:assert/strict";
import {
  type Disclosure,
  type ErrorReply,
  type Honeyguide,
  type HoneyguideOptions,
  honeyguide,
  isErrorReply,
} from "honeyguide";
import type { Harness, ModelCall, Outcome, ResultEntry, RunRequest, View, WantedTool } from "./harness.js";

/** Something that must be so; `run` throws an `AssertionError` when it is not. */
export interface Check {
  /** Its group and a sentence, such as "approval: asks before the tool runs". */
  readonly name: string;
  run(): Promise<void>;
}

/** The checks of one subject, for one framework. */
export type Group = <TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
) => Check[];

/** A group's checks, by what each says. */
export function group(subject: string, checks: Readonly<Record<string, () => Promise<void>>>): Check[] {
  return Object.entries(checks).map(([says, run]) => ({ name: `${subject}: ${says}`, run }));
}

/** A harness, with what checks do with it. */
export class Bench<TheirTool, TheirMessage, Extra extends object> {
  constructor(readonly harness: Harness<TheirTool, TheirMessage, Extra>) {}

  /** A fresh engine with its view, and the wanted tools behind it. */
  async adapted(
    wanted: Readonly<Record<string, WantedTool>>,
    options: HoneyguideOptions & { disclosure?: Disclosure } = {},
  ): Promise<Adapted<TheirTool, TheirMessage, Extra>> {
    const { disclosure = {}, ...settings } = options;
    const hg = honeyguide(settings);
    const view = hg.adaptTo(this.harness.adapter, { disclosure });
    const tools = Object.fromEntries(
      Object.entries(wanted).map(([id, each]) => [id, this.harness.tool(each)]),
    );
    const registration = await view.tools.register(tools);
    assert.deepEqual(registration.diagnostics, [], "every tool of the check is registered");
    return { hg, view };
  }

  /** Runs the agent on the tools of a view. */
  run(
    view: View<TheirTool, TheirMessage, Extra>,
    turns: RunRequest<TheirTool, TheirMessage, Extra>["turns"],
    more: Partial<RunRequest<TheirTool, TheirMessage, Extra>> = {},
  ): Promise<Outcome> {
    return this.harness.run({ view, tools: view.modelTools(), turns, ...more });
  }
}

/** An engine and its view. */
export interface Adapted<TheirTool, TheirMessage, Extra extends object> {
  readonly hg: Honeyguide;
  readonly view: View<TheirTool, TheirMessage, Extra>;
}

/** A call of a catalogued tool, as a model is told to make it. */
export function invoke(id: string, toolId: string, args: unknown = {}): ModelCall {
  return [id, "invoke_tool", { toolId, args }];
}

/** The results that the model read last, by call; each call has exactly one. */
export function resultsOf(outcome: Outcome): Record<string, ResultEntry> {
  const results: Record<string, ResultEntry> = {};
  for (const entry of outcome.requests.at(-1)?.prompt ?? []) {
    if (entry.kind !== "result") continue;
    assert.ok(!Object.hasOwn(results, entry.id), `call ${entry.id} has one result`);
    results[entry.id] = entry;
  }
  return results;
}

/** What the model read of one call. */
export function readOf(outcome: Outcome, id: string): unknown {
  const result = resultsOf(outcome)[id];
  assert.ok(result, `call ${id} has a result`);
  return result.value;
}

/** The reply that the model read of one call. */
export function replyOf(outcome: Outcome, id: string): ErrorReply {
  const value = readOf(outcome, id);
  assert.ok(isErrorReply(value), `call ${id} is answered by a reply, not by ${JSON.stringify(value)}`);
  return value;
}

/** The schema of an object with these properties. */
export function objectOf(properties: Readonly<Record<string, unknown>>, ...required: string[]) {
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/** The schema of a piece of text. */
export const text = { type: "string" } as const;
