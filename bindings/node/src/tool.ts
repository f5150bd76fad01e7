// What a tool is on the host's side: its definition and the function that runs it. Knows nothing of catalogs.

import type { ToolItem } from "./generated/types.js";
import type { ArgumentsOf } from "./schema.js";

/** What an executor is told beside its arguments. */
export interface CallContext {
  /** Aborted when the caller gives up or the time is over. */
  readonly signal: AbortSignal | undefined;
  /** What the caller passed as `context`, untouched. */
  readonly context: unknown;
  /** The tool that is called. */
  readonly toolId: string;
  /** The conversation. */
  readonly session: string | undefined;
  /** The framework's name of this call. */
  readonly toolCallId: string | undefined;
  /** What an adapter passed along for its own tools. */
  readonly live: unknown;
}

/** Runs a tool. May answer at once, with a promise, or with an async iterable, which streams through. */
// biome-ignore lint/suspicious/noExplicitAny: an executor that is bound by id has no schema in sight.
export type Execute<Arguments = any> = (args: Arguments, call: CallContext) => unknown;

/** A definition whose lists may be frozen. */
export type Definition<Item> = {
  readonly [Key in keyof Item]: Item[Key] extends string[] | null | undefined
    ? readonly string[] | null | undefined
    : Item[Key];
};

/** A tool as an application writes it; `Schema` is JSON Schema, zod or any Standard Schema. */
export interface Tool<Schema = unknown> extends Omit<Definition<ToolItem>, "inputSchema"> {
  readonly inputSchema?: Schema;
  execute(args: ArgumentsOf<Schema>, call: CallContext): unknown;
}
