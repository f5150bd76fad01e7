// The step loop: does what the engine says comes next, until it says what to reply. Decides nothing.

import { writeArguments } from "./arguments.js";
import { checkOptions } from "./call-options.js";
import { capabilityNames } from "./capabilities.js";
import { describeThrown, HoneyguideError, isHoneyguideError } from "./error.js";
import type { EmbedRole, Outcome, Step, Visible } from "./generated/types.js";
import { type Settled, waitFor } from "./interrupt.js";
import { JsonText } from "./json.js";
import type { Meaning } from "./meaning.js";
import { judge, type Rerank } from "./rerank.js";
import type { SkillFolders } from "./skill-folders.js";
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

/** What a sub-agent is to do. */
export interface ForkRequest {
  /** The skill that it follows. */
  readonly skillId: string;
  /** What it is told: the skill's text, with its arguments in it. */
  readonly prompt: string;
  /** What it may call without asking, as the skill writes it. */
  readonly allowedTools: readonly string[];
  /** The model that the skill asks for. */
  readonly model: string | undefined;
  /** How hard the skill wants it to think. */
  readonly effort: string | undefined;
  readonly session: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly context: unknown;
}

/** Has a sub-agent follow a skill, and answers with its text. */
export type Fork = (request: ForkRequest) => string | Promise<string>;

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
  readonly meaning: Meaning;
  readonly rerank: Rerank | undefined;
  readonly executors: ReadonlyMap<string, { readonly execute: Execute }>;
  readonly approve: Approve | undefined;
  readonly fork: Fork | undefined;
  readonly folders: SkillFolders;
}

/** Answers a model's call; whatever goes wrong with it is a reply. */
export async function call(host: Host, name: string, args: unknown, options: CallOptions): Promise<unknown> {
  checkOptions(options);
  const { session, visible } = options;
  // A model may write broken Unicode even here; such a name is merely unknown.
  const request = { name: String(name).toWellFormed(), arguments: writeArguments(args), session, visible };
  if (request.name === capabilityNames.search) host.meaning.wake();
  return run(host, host.transport.step({ ...request, now: Date.now() }), options, "replied");
}

/** Calls a tool for host code; whatever goes wrong is thrown, and what the tool itself throws is thrown as it is. */
export async function invoke(
  host: Host,
  toolId: string,
  args: unknown,
  options: CallOptions,
): Promise<unknown> {
  checkOptions(options);
  const { session, visible } = options;
  const request = { toolId, args: writeArguments(args), session, visible };
  return run(host, host.transport.invoke({ ...request, now: Date.now() }), options, "thrown");
}

/** Goes from the first step to the reply: the engine's own, or the executor's value, by identity. */
export async function run(
  host: Host,
  first: Step,
  options: CallOptions,
  failures: Failures,
): Promise<unknown> {
  const running: Running = { host, options, value: undefined };
  let step = first;
  while (step.kind !== "reply") {
    const handle = handlers.get(step.kind);
    if (!handle) throw unknownStep(step.kind);
    // Written before the host sees it: no approver or executor can change what goes back.
    const call = new JsonText(JSON.stringify(step.call));
    const made = handle(running, step.call as Partial<StepCall> as StepCall, step);
    // What is there at once costs no tick: a framework may ask in the same tick whether a tool streams.
    const outcome = made instanceof Promise ? await made : made;
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

type Handle = (running: Running, call: StepCall, step: Step) => Outcome | Promise<Outcome>;

const handlers: ReadonlyMap<string, Handle> = new Map<string, Handle>([
  ["approve", ask],
  ["invoke", execute],
  ["embed", embed],
  ["rerank", rerank],
  ["read", read],
  ["fork", fork],
]);

type RerankStep = Extract<Step, { kind: "rerank" }>;
type ReadStep = Extract<Step, { kind: "read" }>;
type ForkStep = Extract<Step, { kind: "fork" }>;

function ask(running: Running, call: StepCall): Outcome | Promise<Outcome> {
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
  return askInTurn(running, request, [options.approve, host.approve]);
}

/** An approver without an opinion leaves it to the next one. */
function askInTurn(
  running: Running,
  request: ApprovalRequest,
  approvers: (Approve | undefined)[],
): Outcome | Promise<Outcome> {
  const [approve, ...others] = approvers;
  if (!approve) return others.length > 0 ? askInTurn(running, request, others) : { kind: "noHandler" };
  return after(
    waitFor(() => approve(request), { signal: running.options.signal }),
    (settled) => {
      if (settled.kind !== "value") return outcomeOf(running, settled);
      if (settled.value === undefined) return askInTurn(running, request, others);
      return approval(settled.value as Approval | null);
    },
  );
}

function approval(answer: Approval | null): Outcome {
  if (typeof answer !== "object" || answer === null) return { kind: "approval", approved: answer === true };
  const { approved, reason } = answer;
  const said = typeof reason === "string" ? reason.toWellFormed() : undefined;
  return { kind: "approval", approved: approved === true, reason: said };
}

function execute(running: Running, call: StepCall): Outcome | Promise<Outcome> {
  const { host, options } = running;
  const bound = host.executors.get(call.toolId);
  if (!bound) return { kind: "notBound" };
  const start = (signal: AbortSignal | undefined) =>
    bound.execute(call.arguments, {
      signal,
      context: options.context,
      toolId: call.toolId,
      session: call.session,
      toolCallId: options.toolCallId,
      live: options.live,
    });
  return after(waitFor(start, options), (settled) => {
    if (settled.kind !== "value") return refusalOf(running, settled, call) ?? outcomeOf(running, settled);
    running.value = settled.value;
    return { kind: "ok" };
  });
}

/** What the embedder throws stays here: the engine goes by words, and says why. */
async function embed({ host, options }: Running, _: StepCall, step: Step): Promise<Outcome> {
  const { texts, role } = step as Step & { texts: string[]; role: EmbedRole };
  const embedded = await host.meaning.embed(texts, role, options.signal);
  if (!embedded) return { kind: "noHandler" };
  switch (embedded.kind) {
    case "error":
      return { kind: "error", name: embedded.name, message: embedded.error.message };
    case "aborted":
      return { kind: "aborted", message: describeThrown(embedded.reason).message };
    default:
      return embedded;
  }
}

/** What the ranking throws stays here: the engine keeps its order. */
async function rerank({ host, options }: Running, _: StepCall, step: Step): Promise<Outcome> {
  const { query, hits } = step as RerankStep;
  return host.rerank ? judge(host.rerank, query, hits, options.signal) : { kind: "noHandler" };
}

function read({ host }: Running, _call: StepCall, step: Step): Promise<Outcome> {
  const { call, path, mostBytes } = step as ReadStep;
  return host.folders.read(call.skillId, path, mostBytes);
}

function fork(running: Running, _call: StepCall, step: Step): Outcome | Promise<Outcome> {
  const { host, options } = running;
  const run = host.fork;
  if (!run) return { kind: "noHandler" };
  const { call, prompt, allowedTools, model, effort } = step as ForkStep;
  const start = (signal: AbortSignal | undefined) =>
    run({
      skillId: call.skillId,
      prompt,
      allowedTools,
      model: model ?? undefined,
      effort: effort ?? undefined,
      session: call.session,
      signal,
      context: options.context,
    });
  return after(waitFor(start, options), (settled) => {
    if (settled.kind !== "value") return outcomeOf(running, settled);
    if (typeof settled.value === "string") return { kind: "text", text: settled.value.toWellFormed() };
    return { kind: "error", name: "TypeError", message: "it answered with something that is no text" };
  });
}

function after(
  settled: Settled | Promise<Settled>,
  next: (settled: Settled) => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  return settled instanceof Promise ? settled.then(next) : next(settled);
}

/** The tool's own schema may see more than its JSON Schema says: what it refuses is the caller's mistake, not a failure. */
function refusalOf(
  running: Running,
  settled: Exclude<Settled, { kind: "value" }>,
  { toolId }: StepCall,
): Outcome | undefined {
  if (settled.kind !== "thrown" || !isHoneyguideError(settled.thrown, "invalid_arguments")) return undefined;
  const { details, message } = settled.thrown;
  // One of another tool, which this one called, is this one's failure.
  if (details["toolId"] !== toolId) return undefined;
  running.failure = { thrown: settled.thrown };
  return { kind: "error", name: "InvalidArgumentsError", message: message.toWellFormed() };
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
