// Runs invoke_tool inside the framework: its checks when the framework checks, its approval when the framework asks, and
// the target's own value, stream or exception when it runs. Knows nothing of search or of messages to come.

import { type AdapterHost, capabilityNames } from "honeyguide";
import { Approvals } from "./approval.js";
import { ownOptions, prepareContext } from "./contexts.js";
import { ModelOutputs } from "./model-output.js";
import { type Plan, Plans } from "./plan.js";
import { Live } from "./target.js";
import type { ApprovalStatus } from "./tool-approval.js";
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
  async onInputAvailable(
    { input, ...options }: ExecutionOptions & { input: unknown },
    { started = false } = {},
  ): Promise<void> {
    const plan = await this.#plans.make(input);
    if (!plan?.target || !plan.checked || "refusal" in plan.checked) return;
    await prepareContext(plan, options);
    const own = ownOptions(plan, options);
    if (!started) await plan.target.tool.onInputStart?.(own);
    await plan.target.tool.onInputAvailable?.({ ...own, input: plan.checked.value });
  }

  needsApproval(input: unknown, options: CallbackOptions): Promise<boolean> {
    return this.#approvals.needed(input, options);
  }

  /** What the application's rule says of the call that this will be; a call that is a mistake needs no approval. */
  async approvalStatus(input: unknown, options: CallbackOptions, rule: OwnRule): Promise<ApprovalStatus> {
    const plan = await this.#plans.make(input);
    if (!plan?.checked || "refusal" in plan.checked) return "not-applicable";
    await prepareContext(plan, options);
    const { context } = ownOptions(plan, options);
    const status = await rule({ toolId: plan.toolId, input: plan.checked.value, context });
    const type = typeof status === "object" ? status.type : (status ?? "not-applicable");
    this.#approvals.decide(
      plan,
      type === "user-approval" || type === "denied" ? "ask" : "free",
      input,
      options,
    );
    return status;
  }

  /** What the target's own rule says, in the framework's words. */
  async ownStatus(input: unknown, options: CallbackOptions): Promise<ApprovalStatus> {
    return (await this.needsApproval(input, options)) ? "user-approval" : "not-applicable";
  }

  /** A stream for a target that streams, else a promise: the framework must know which before anything is awaited. */
  execute(input: unknown, options: ExecutionOptions): AsyncIterable<unknown> | Promise<unknown> {
    const plan = this.#plans.at(input);
    const target = plan?.target;
    const own = ownOptions(plan, options);
    const live = new Live(own, target, plan?.checked);
    const answer = this.host.call(this.name, input, {
      // A target of theirs finds the signal in its own options, and is waited for as the framework waits.
      signal: target ? undefined : options.abortSignal,
      context: contextOf(own),
      toolCallId: options.toolCallId,
      approve: (asked) => this.#approvals.answer(asked, input, options),
      live,
    });
    const settled = this.#settle(answer, live, plan);
    if (!isStream(live.given?.value) && !streams(executorOf(plan))) return drain(settled);
    // Heard of where the stream is read; a stream that nobody reads must not end the process.
    settled.catch(() => {});
    return relay(settled);
  }

  toModelOutput(given: unknown): unknown {
    return this.#outputs.show(given);
  }

  /** The target's own exception again, or the value with a way to note whose it is. */
  async #settle(answer: Promise<unknown>, live: Live, plan: Plan | undefined): Promise<Settled> {
    const value = await answer;
    if (live.failure) throw live.failure.thrown;
    const owned = plan !== undefined && live.given?.value === value;
    return { value, note: owned ? (output) => this.#outputs.note(output, plan) : () => {} };
  }
}

/** One state per view: a yes to a question that one call of `modelTools()` led to holds for the next. */
const invokeTools = new WeakMap<AdapterHost, InvokeTool>();

/** invoke_tool of this view. */
export function invokeToolOf(host: AdapterHost): InvokeTool {
  const known = invokeTools.get(host) ?? new InvokeTool(host, capabilityNames.invoke);
  invokeTools.set(host, known);
  return known;
}

/** The application's rule, asked about the target instead of invoke_tool. */
type OwnRule = (own: {
  toolId: string;
  input: unknown;
  context: unknown;
}) => ApprovalStatus | PromiseLike<ApprovalStatus>;

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
