// The step loop: does what the engine says comes next, until it says what to reply. Decides nothing.

import { writeArguments } from "./arguments.js";
import { describeThrown, HoneyguideError } from "./error.js";
import type { Outcome, Step, Visible } from "./generated/types.js";
import { type Settled, waitFor } from "./interrupt.js";
import { JsonText } from "./json.js";
import type { Execute } from "./tool.js";
import type { Transport } from "./transport.js";

/** What an approver is asked about. */
export interface ApprovalRequest {
  readonly toolId: string;
  readonly arguments: unknown;
  readonly annotations: unknown;
  readonly digest: string | undefined;
  readonly session: string | undefined;
  readonly toolCallId: string | undefined;
  readonly context: unknown;
}

/** What an approver answers; anything but a clear yes is a no. */
export type Approval = boolean | { readonly approved: boolean; readonly reason?: string };

/** Asks whether a tool may run with these arguments. Without an answer, the next approver is asked: the engine's own. */
export type Approve = (call: ApprovalRequest) => Approval | undefined | Promise<Approval | undefined>;

/** Whose call it is. */
export interface Scope {
  /** The conversation. */
  session?: string | null | undefined;
  /** What this call may see, on top of the session's. */
  visible?: Visible | null | undefined;
}

/** How a call is made. */
export interface CallOptions extends Scope {
  /** Gives up: a tool that has not started does not, one that runs is left behind. */
  signal?: AbortSignal | undefined;
  /** Reaches the executor untouched. */
  context?: unknown;
  /** Asks before a tool that wants approval runs (default: the engine's). */
  approve?: Approve | undefined;
  /** How long a tool may take (default: as long as it wants). */
  timeoutMs?: number | undefined;
  /** The framework's name of this call, for the executor. */
  toolCallId?: string | undefined;
  /** What an adapter passes along to its own tools, beside the user's context. */
  live?: unknown;
}

/** What the loop needs of the host. */
export interface Host {
  readonly transport: Transport;
  readonly executors: ReadonlyMap<string, { readonly execute: Execute }>;
  readonly approve: Approve | undefined;
}

/** Answers a model's call; whatever goes wrong with it is a reply. */
export async function call(host: Host, name: string, args: unknown, options: CallOptions): Promise<unknown> {
  const { session, visible } = options;
  // A model may write broken Unicode even here; such a name is merely unknown.
  const request = { name: String(name).toWellFormed(), arguments: writeArguments(args), session, visible };
  return run(host, host.transport.step({ ...request, now: Date.now() }), options, "replied");
}

/** Calls a tool for host code; whatever goes wrong is thrown, and what the tool itself throws is thrown as it is. */
export async function invoke(
  host: Host,
  toolId: string,
  args: unknown,
  options: CallOptions,
): Promise<unknown> {
  const { session, visible } = options;
  const request = { toolId, args: writeArguments(args), session, visible };
  return run(host, host.transport.invoke({ ...request, now: Date.now() }), options, "thrown");
}

/** Goes from the first step to the reply: the engine's own, or the executor's value, by identity. */
async function run(host: Host, first: Step, options: CallOptions, failures: Failures): Promise<unknown> {
  const running: Running = { host, options, value: undefined };
  let step = first;
  while (step.kind !== "reply") {
    const handle = handlers.get(step.kind);
    if (!handle) throw unknownStep(step.kind);
    // Written before the host sees it: no approver or executor can change what goes back.
    const call = new JsonText(JSON.stringify(step.call));
    const outcome = await handle(running, step.call as StepCall);
    if (running.failure && failures === "thrown") throw running.failure.thrown;
    step = host.transport.resume({ call, outcome, now: Date.now() });
  }
  return step.hostValue ? running.value : step.reply;
}

/** What becomes of what an executor or an approver throws: words for the model, or the same exception again. */
type Failures = "replied" | "thrown";

/** A call under way. */
interface Running {
  host: Host;
  options: CallOptions;
  /** What the executor answered. */
  value: unknown;
  /** What an executor or an approver threw, when one did. */
  failure?: { thrown: unknown };
}

/** The part of a step's `call` that a host reads; the rest is the engine's own. */
interface StepCall {
  toolId: string;
  arguments: unknown;
  annotations?: unknown;
  digest?: string;
  session?: string;
}

const handlers: ReadonlyMap<string, (running: Running, call: StepCall) => Promise<Outcome>> = new Map([
  ["approve", ask],
  ["invoke", execute],
]);

async function ask(running: Running, call: StepCall): Promise<Outcome> {
  const { host, options } = running;
  const request: ApprovalRequest = {
    toolId: call.toolId,
    arguments: call.arguments,
    annotations: call.annotations,
    digest: call.digest,
    session: call.session,
    toolCallId: options.toolCallId,
    context: options.context,
  };
  for (const approve of [options.approve, host.approve]) {
    if (!approve) continue;
    const settled = await waitFor(() => approve(request), { signal: options.signal });
    if (settled.kind !== "value") return outcomeOf(running, settled);
    if (settled.value !== undefined) return approval(settled.value as Approval | null);
  }
  return { kind: "noHandler" };
}

function approval(answer: Approval | null): Outcome {
  if (typeof answer !== "object" || answer === null) return { kind: "approval", approved: answer === true };
  const { approved, reason } = answer;
  const said = typeof reason === "string" ? reason.toWellFormed() : undefined;
  return { kind: "approval", approved: approved === true, reason: said };
}

async function execute(running: Running, call: StepCall): Promise<Outcome> {
  const { host, options } = running;
  const bound = host.executors.get(call.toolId);
  if (!bound) return { kind: "notBound" };
  const settled = await waitFor(
    (signal) =>
      bound.execute(call.arguments, {
        signal,
        context: options.context,
        toolId: call.toolId,
        session: call.session,
        toolCallId: options.toolCallId,
        live: options.live,
      }),
    options,
  );
  if (settled.kind !== "value") return outcomeOf(running, settled);
  running.value = settled.value;
  return { kind: "ok" };
}

/** The header of a failure; what was thrown stays here. */
function outcomeOf(running: Running, settled: Exclude<Settled, { kind: "value" }>): Outcome {
  switch (settled.kind) {
    case "thrown":
      running.failure = { thrown: settled.thrown };
      return { kind: "error", ...describeThrown(settled.thrown) };
    case "timeout":
      return settled;
    case "aborted":
      return { kind: "aborted", message: describeThrown(settled.reason).message };
  }
}

function unknownStep(kind: string): HoneyguideError {
  return new HoneyguideError({
    code: "internal",
    category: "internal",
    message: `this package does not know the engine's step \`${kind}\`; install matching versions of both`,
    details: { kind },
  });
}
