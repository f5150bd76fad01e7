// Runs invoke_tool inside the framework: its checks when the framework checks, its approval when the framework asks, and
// the target's own value, stream or exception when it runs. Knows nothing of search or of messages to come.

import type { AdapterHost } from "honeyguide";
import { Approvals } from "./approval.js";
import { ModelOutputs } from "./model-output.js";
import { type Plan, Plans } from "./plan.js";
import { Live } from "./target.js";
import { type CallbackOptions, contextOf, type ExecutionOptions, isStream, streams } from "./types.js";

/** invoke_tool of one view: the functions that the framework calls, in the order in which it does. */
export class InvokeTool {
  readonly #plans: Plans;
  readonly #approvals: Approvals;
  readonly #outputs: ModelOutputs;

  constructor(
    private readonly host: AdapterHost,
    private readonly name: string,
  ) {
    this.#plans = new Plans(host);
    this.#approvals = new Approvals(this.#plans, askedOf(host));
    this.#outputs = new ModelOutputs(host, this.#plans);
  }

  /** Where the framework validates. It may wait here, and not when it runs, so the target's own schema looks now. */
  async validate(input: unknown): Promise<void> {
    await this.#plans.make(input);
  }

  /** The target hears of its input when it is known to be the target's: both hooks then, one after the other. */
  async onInputAvailable({ input, ...options }: ExecutionOptions & { input: unknown }): Promise<void> {
    const plan = await this.#plans.make(input);
    if (!plan?.target || !plan.checked || "refusal" in plan.checked) return;
    await plan.target.tool.onInputStart?.(options);
    await plan.target.tool.onInputAvailable?.({ ...options, input: plan.checked.value });
  }

  needsApproval(input: unknown, options: CallbackOptions): Promise<boolean> {
    return this.#approvals.needed(input, options);
  }

  /** A stream for a target that streams, else a promise: the framework must know which before anything is awaited. */
  execute(input: unknown, options: ExecutionOptions): AsyncIterable<unknown> | Promise<unknown> {
    const plan = this.#plans.at(input);
    const target = plan?.target;
    const live = new Live(options, target, plan?.checked);
    const answer = this.host.call(this.name, input, {
      // A target of theirs finds the signal in its own options, and is waited for as the framework waits.
      signal: target ? undefined : options.abortSignal,
      context: contextOf(options),
      toolCallId: options.toolCallId,
      approve: (asked) => this.#approvals.answer(asked, input, options),
      live,
    });
    const settled = this.#settle(answer, live, plan);
    const streamed = live.stream ?? streams(executorOf(plan));
    return streamed ? relay(settled) : drain(settled);
  }

  toModelOutput(given: unknown): unknown {
    return this.#outputs.show(given);
  }

  /** The target's own exception again, or the value with a way to note whose it is. */
  async #settle(answer: Promise<unknown>, live: Live, plan: Plan | undefined): Promise<Settled> {
    const value = await answer;
    if (live.failure) throw live.failure.thrown;
    const owned = plan !== undefined && live.answered;
    return { value, note: owned ? (output) => this.#outputs.note(output, plan) : () => {} };
  }
}

/** What was asked about, for all views of one engine: the answer may come to another view than the question. */
const asked = new WeakMap<AdapterHost["tools"], Map<string, string>>();

function askedOf({ tools }: AdapterHost): Map<string, string> {
  const known = asked.get(tools) ?? new Map<string, string>();
  asked.set(tools, known);
  return known;
}

interface Settled {
  readonly value: unknown;
  note(output: unknown): void;
}

/** Streams a target's results through; a reply in their place is the one result. */
async function* relay(settled: Promise<Settled>): AsyncGenerator<unknown> {
  const { value, note } = await settled;
  if (!isStream(value)) {
    note(value);
    yield value;
    return;
  }
  for await (const part of value) {
    note(part);
    yield part;
  }
}

/** The value; of a stream that was not known to be one in time, the last. */
async function drain(settled: Promise<Settled>): Promise<unknown> {
  let { value, note } = await settled;
  if (isStream(value)) {
    const stream = value;
    value = undefined;
    for await (const part of stream) value = part;
  }
  note(value);
  return value;
}

function executorOf(plan: Plan | undefined): unknown {
  return plan?.target ? plan.target.tool.execute : (plan?.item as { execute?: unknown } | undefined)?.execute;
}
