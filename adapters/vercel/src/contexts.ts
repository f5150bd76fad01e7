// The contexts of 7, one per tool: carried through invoke_tool under one name, and given to each target as its own.
// Knows nothing of calls but whose they are. In 5 and 6 there is one context for all, and nothing to do.

import { asSchema } from "ai";
import { capabilityNames } from "honeyguide";
import type { Plan } from "./plan.js";
import type { CallbackOptions } from "./types.js";

/** Marks the contexts of many tools where the framework expects that of one. */
const marker: unique symbol = Symbol.for("honeyguide.vercel.contexts") as never;

/** For `toolsContext`: contexts by tool, those of catalogued tools among them. */
// biome-ignore lint/suspicious/noExplicitAny: the framework infers a context's type from a tool that it sees; these it does not see.
export function toolsContext(contexts: Readonly<Record<string, unknown>>): any {
  return { ...contexts, [capabilityNames.invoke]: { [marker]: contexts } };
}

/** Readies the target's own context, through its own schema, where the framework lets us wait. */
export async function prepareContext(plan: Plan, { context }: Partial<CallbackOptions>): Promise<void> {
  if (!isMany(context) || plan.context) return;
  const value = contextIn(context, plan.toolId);
  const schema = plan.target?.tool.contextSchema;
  if (schema === undefined) {
    plan.context = { value };
    return;
  }
  const verdict = await asSchema(schema as Parameters<typeof asSchema>[0]).validate?.(value);
  // As in a direct call, a context that does not fit is the application's mistake, not the model's.
  if (verdict && !verdict.success) throw verdict.error;
  plan.context = { value: verdict ? verdict.value : value };
}

/** The options as the target is meant to see them. */
export function ownOptions<Options extends Partial<CallbackOptions>>(
  plan: Plan | undefined,
  options: Options,
): Options {
  const { context } = options;
  if (!plan || !isMany(context)) return options;
  return { ...options, context: plan.context ? plan.context.value : contextIn(context, plan.toolId) };
}

function isMany(context: unknown): context is { [marker]: Readonly<Record<string, unknown>> } {
  return typeof context === "object" && context !== null && marker in context;
}

function contextIn(many: { [marker]: Readonly<Record<string, unknown>> }, toolId: string): unknown {
  const contexts = many[marker];
  return Object.hasOwn(contexts, toolId) ? contexts[toolId] : undefined;
}
