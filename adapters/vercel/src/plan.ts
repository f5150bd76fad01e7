// What one call of invoke_tool is going to be: found, repaired and validated before anything asks or runs.
// Knows nothing of messages or of approval.

import { type AdapterHost, isHoneyguideError } from "honeyguide";
import type { CataloguedTool } from "./ingest.js";
import type { Checked, Target } from "./target.js";

/** A call that could be made. */
export interface Plan {
  readonly toolId: string;
  /** Of the tool's definition. */
  readonly digest: string;
  readonly requiresApproval: boolean;
  /** The arguments, repaired. */
  readonly args: unknown;
  /** The object that runs it. */
  readonly item: object | undefined;
  /** The tool of theirs, when it is one; tools of the application's own have none. */
  readonly target: Target | undefined;
  /** The arguments as the target's own schema left them, once it has seen them. */
  checked?: Checked;
  /** The target's own context, once its schema has seen it. */
  context?: { readonly value: unknown };
  /** What the rule said of these arguments, once it has been asked. */
  verdict?: "free" | "ask";
}

/** The plans of calls under way, by the very input that the framework parsed and hands around. */
export class Plans {
  readonly #plans = new WeakMap<object, Plan>();

  constructor(private readonly host: AdapterHost) {}

  /** The plan, as far as it can be told at once; nothing when the call is a mistake, which the engine answers. */
  at(input: unknown): Plan | undefined {
    const known = isObject(input) ? this.#plans.get(input) : undefined;
    if (known && this.host.tools.itemOf(known.toolId) === known.item) return known;
    const plan = this.#resolve(input);
    if (plan && isObject(input)) this.#plans.set(input, plan);
    return plan;
  }

  /** The plan, with arguments that the target's own schema has seen. */
  async make(input: unknown): Promise<Plan | undefined> {
    const plan = this.at(input);
    if (plan) plan.checked ??= plan.target ? await plan.target.check(plan.args) : { value: plan.args };
    return plan;
  }

  /** The plan, made again from the definition as it is now. */
  remake(input: unknown): Promise<Plan | undefined> {
    if (isObject(input)) this.#plans.delete(input);
    return this.make(input);
  }

  #resolve(input: unknown): Plan | undefined {
    try {
      const { toolId, digest, requiresApproval, arguments: args } = this.host.resolve(input);
      const item = this.host.tools.itemOf(toolId);
      return {
        toolId,
        digest,
        requiresApproval,
        args,
        item,
        target: (item as Partial<CataloguedTool>)?.target,
      };
    } catch (thrown) {
      if (isHoneyguideError(thrown)) return undefined;
      throw thrown;
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
