// What the model reads of a result: the engine's replies as they are, a target's result as the target itself shows it.
// Knows the one difference between the majors: 5 hands over the output alone, 6 and 7 the call with it.

import { type AdapterHost, isErrorReply } from "honeyguide";
import type { Plan, Plans } from "./plan.js";

/** How many outputs without identity (text, numbers) are remembered for 5, which does not say whose they are. */
const remembered = 256;

/** Shows the results of one view's calls. */
export class ModelOutputs {
  readonly #owners = new WeakMap<object, Plan>();
  /** Nothing as the owner: several tools gave this output, so it is nobody's. */
  readonly #ownersOfPrimitives = new Map<unknown, Plan | undefined>();

  constructor(
    private readonly host: AdapterHost,
    private readonly plans: Plans,
  ) {}

  /** Notes whose result this is. */
  note(output: unknown, plan: Plan): void {
    if (isObject(output)) {
      this.#owners.set(output, plan);
      return;
    }
    const owners = this.#ownersOfPrimitives;
    const shared = owners.has(output) && owners.get(output)?.target !== plan.target;
    owners.delete(output);
    owners.set(output, shared ? undefined : plan);
    for (const oldest of owners.keys()) {
      if (owners.size <= remembered) break;
      owners.delete(oldest);
    }
  }

  /** `toModelOutput` of invoke_tool; answers at once where the target's own does, since 5 does not wait. */
  show(given: unknown): unknown {
    if (!isGiven(given)) {
      const owner = isObject(given) ? this.#owners.get(given) : this.#ownersOfPrimitives.get(given);
      return this.#showOf(owner, given, () => given);
    }
    const { toolCallId, input, output } = given;
    const whole = ({ checked }: Plan) => ({
      toolCallId,
      input: checked && "value" in checked ? checked.value : undefined,
      output,
    });
    const owner = isObject(output) ? this.#owners.get(output) : undefined;
    if (owner) return this.#showOf(owner, output, whole);
    if (isErrorReply(output)) return show(this.host, output);
    const plan = this.plans.at(input);
    if (!plan?.target?.tool.toModelOutput || plan.checked) return this.#showOf(plan, output, whole);
    // A conversation that was stored and read again: the target's schema has not seen these arguments yet.
    return this.plans.make(input).then((made) => this.#showOf(made, output, whole));
  }

  #showOf(plan: Plan | undefined, output: unknown, whole: (plan: Plan) => unknown): unknown {
    const tool = plan?.target?.tool;
    return plan && tool?.toModelOutput
      ? tool.toModelOutput(whole(plan))
      : show(this.host, output, plan !== undefined);
  }
}

/** A result without a `toModelOutput` of its own: as the framework shows it, or marked as the error that it is. */
export function show(host: AdapterHost, output: unknown, ofTarget = false): unknown {
  if (typeof output === "string") return { type: "text", value: output };
  if (!ofTarget && isErrorReply(output)) return { type: "error-json", value: output };
  return { type: "json", value: output === undefined ? null : forModel(host, output) };
}

/** The engine leaves out what stands twice and cuts to the application's limit; what is not JSON goes on untouched. */
function forModel(host: AdapterHost, output: unknown): unknown {
  if (!isObject(output)) return output;
  try {
    return host.forModel(output);
  } catch {
    return output;
  }
}

/** What the framework hands to `toModelOutput` from 6 on. */
interface Given {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

function isGiven(value: unknown): value is Given {
  return isObject(value) && Object.keys(value).sort().join() === "input,output,toolCallId";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
