// Runs invoke_tool inside Mastra: its approval when Mastra asks, and the target's own value or exception when it runs.
// Knows nothing of search, of messages, or of what the model reads of a tool.

import { type AdapterHost, capabilityNames } from "honeyguide";
import { Approvals } from "./approval.js";
import { ModelOutputs } from "./model-output.js";
import { type Plan, planOf } from "./plan.js";
import { Live } from "./target.js";
import type { ExecutionContext, InputOptions, MastraTool, RequestContextLike, RuleContext } from "./types.js";

/** What is remembered of the calls of one engine: a yes that one view was given holds for the next. */
interface Memory {
  readonly approvals: Approvals;
  readonly outputs: ModelOutputs;
  /** Whether a catalogued tool says that it suspends. */
  suspends: boolean;
}

const memories = new WeakMap<AdapterHost["tools"], Memory>();

/** invoke_tool of one view, or of one request: the functions that Mastra calls, in the order in which it does. */
export class InvokeTool {
  constructor(
    private readonly host: AdapterHost,
    /** The context of the run, where it was there when the tools were made. */
    private readonly request: RequestContextLike | undefined,
  ) {}

  /** The target hears of its input when it is known to be the target's: of its start too, unless it has. */
  async onInputAvailable(
    { input, ...options }: InputOptions & { input: unknown },
    { started = false } = {},
  ): Promise<void> {
    const plan = planOf(this.host, input);
    if (!plan) return;
    memoryOf(this.host).approvals.announce(plan, options.toolCallId);
    if (!started) await plan.target?.tool.onInputStart?.(options);
    await plan.target?.tool.onInputAvailable?.({ ...options, input: plan.args });
  }

  /** A call that is a mistake needs no approval: it will not run. */
  async requireApproval(input: unknown, context?: RuleContext): Promise<boolean> {
    const plan = planOf(this.host, input);
    return plan !== undefined && memoryOf(this.host).approvals.needed(plan, context, this.request);
  }

  async execute(input: unknown, given: unknown): Promise<unknown> {
    // A copy: Mastra marks the context of input that it has seen, and the target's input it has not.
    const context = { ...(given as ExecutionContext) };
    const plan = planOf(this.host, input);
    const { approvals } = memoryOf(this.host);
    if (plan && !this.request && (await approvals.suspends(plan, input, context))) return undefined;
    return run(this.host, input, context, plan);
  }

  toModelOutput(output: unknown): unknown {
    return memoryOf(this.host).outputs.show(this.host, output);
  }
}

/** Hears of a tool that is catalogued for this host. */
export function noteTool(tool: MastraTool, host: AdapterHost): void {
  if (tool.suspendSchema !== undefined) memoryOf(host).suspends = true;
}

/** Whether a catalogued tool says that it suspends. */
export function suspends(host: AdapterHost): boolean {
  return memoryOf(host).suspends;
}

/** Makes the call: the target's own exception again, or its value by identity. */
async function run(
  host: AdapterHost,
  input: unknown,
  context: ExecutionContext,
  plan: Plan | undefined,
): Promise<unknown> {
  const { approvals, outputs } = memoryOf(host);
  const live = new Live(context);
  const value = await host.call(capabilityNames.invoke, input, {
    // A target of theirs finds the signal in its own context, and is waited for as Mastra waits.
    signal: plan?.target ? undefined : context.abortSignal,
    context: context.requestContext,
    toolCallId: context.agent?.toolCallId,
    approve: (asked) => approvals.answer(host, asked, context),
    live,
  });
  if (live.failure) throw live.failure.thrown;
  outputs.note(value, live.given ? plan?.target : undefined);
  return value;
}

function memoryOf({ tools }: AdapterHost): Memory {
  const known = memories.get(tools) ?? {
    approvals: new Approvals(),
    outputs: new ModelOutputs(),
    suspends: false,
  };
  memories.set(tools, known);
  return known;
}
