// A catalogued tool of the AI SDK, and how it runs: on its own object, with the framework's own options.
// Knows nothing of search, of approval, or of the three tools.

import { type CallContext, HoneyguideError } from "honeyguide";
import { type ExecutionOptions, isThenable, type SdkTool } from "./types.js";

/** Arguments that the tool's own validator has seen: the value it made of them, or why it refused them. */
export type Checked = { readonly value: unknown } | { readonly refusal: string };

/** A validator as the AI SDK's schemas have it. */
export type Validate = (value: unknown) => Verdict | PromiseLike<Verdict>;

type Verdict = { success: true; value: unknown } | { success: false; error: Error };

/** Marks what an adapter of this kind put into a call, also one of another copy of the package. */
const marker: unique symbol = Symbol.for("honeyguide.vercel.live") as never;

/** What one call through the adapter carries beside the user's context, and what came of it. */
export class Live {
  readonly [marker] = true;
  /** What the target gave; an answer of the engine in its place is not the target's. */
  given: { value: unknown } | undefined;
  /** What the target itself threw. */
  failure: { thrown: unknown } | undefined;

  constructor(
    readonly options: ExecutionOptions,
    /** Whose arguments have been checked, and what came of it. */
    readonly target: Target | undefined,
    readonly checked: Checked | undefined,
  ) {}
}

/** A catalogued tool, with the object it came as. */
export class Target {
  constructor(
    readonly id: string,
    readonly tool: SdkTool,
    readonly validate: Validate | undefined,
  ) {}

  /** Lets the tool's own schema look at arguments, with its defaults and transforms. */
  check(args: unknown): Checked | PromiseLike<Checked> {
    if (!this.validate) return { value: args };
    const verdict = this.validate(args);
    return isThenable(verdict) ? verdict.then(checkedOf) : checkedOf(verdict);
  }

  /** Runs the tool. The AI SDK's options are the live call's, or made from the plain call of another host. */
  run(args: unknown, call: CallContext): unknown {
    const live = isLive(call.live) ? call.live : undefined;
    const options = live?.options ?? optionsOf(call);
    // The framework decides in the same tick whether a tool streams, so nothing that is known may be awaited.
    const checked = live?.target === this ? (live.checked ?? this.check(args)) : this.check(args);
    return isThenable(checked)
      ? checked.then((seen) => this.#start(seen, options, live))
      : this.#start(checked, options, live);
  }

  #start(checked: Checked, options: ExecutionOptions, live: Live | undefined): unknown {
    if ("refusal" in checked) throw refused(this.id, checked.refusal);
    const keep = (answer: unknown) => {
      if (live) live.given = { value: answer };
      return answer;
    };
    const fail = (thrown: unknown): never => {
      if (live) live.failure = { thrown };
      throw thrown;
    };
    let answer: unknown;
    try {
      answer = this.tool.execute?.(checked.value, options);
    } catch (thrown) {
      return fail(thrown);
    }
    // A stream is a value that is there at once: the framework looks for it in the same tick.
    return isThenable(answer) ? Promise.resolve(answer).then(keep, fail) : keep(answer);
  }
}

function isLive(value: unknown): value is Live {
  return typeof value === "object" && value !== null && (value as Partial<Live>)[marker] === true;
}

function checkedOf(verdict: Verdict): Checked {
  return verdict.success ? { value: verdict.value } : { refusal: verdict.error.message };
}

/** A model's mistake that only the tool's own schema sees; the engine words the reply. */
function refused(toolId: string, message: string): HoneyguideError {
  return new HoneyguideError({
    code: "invalid_arguments",
    category: "invalid_input",
    message,
    details: { toolId },
  });
}

function optionsOf(call: CallContext): ExecutionOptions {
  return {
    toolCallId: call.toolCallId ?? crypto.randomUUID(),
    messages: [],
    abortSignal: call.signal,
    experimental_context: call.context,
    context: call.context,
  };
}
