// Whether a call may run: the target's own rule, asked with the target's own arguments, and what the framework was told.
// Knows nothing of how a call is made. A yes holds for one tool, its definition and its arguments.

import type { ModelMessage } from "ai";
import type { Approval, ApprovalRequest } from "honeyguide";
import { ownOptions, prepareContext } from "./contexts.js";
import { saidInput } from "./envelope.js";
import type { Plan, Plans } from "./plan.js";
import type { CallbackOptions } from "./types.js";

/** How many open questions are remembered; a question is forgotten after this many newer ones. */
const remembered = 1024;

/** Asks and remembers, for the calls of one view. */
export class Approvals {
  constructor(
    private readonly plans: Plans,
    /** The definition that was asked about, by question; a question of another process is not there. */
    private readonly asked: Map<string, string>,
  ) {}

  /** `needsApproval` of invoke_tool: the target's own rule. A call that is a mistake needs none: it will not run. */
  async needed(input: unknown, options: CallbackOptions): Promise<boolean> {
    const plan = await this.plans.make(input);
    if (!plan) return false;
    await prepareContext(plan, options);
    this.decide(plan, await verdictOf(plan, options), input, options);
    return plan.verdict === "ask";
  }

  /** Keeps what a rule said, so that the engine's question about this very call is answered by it. */
  decide(plan: Plan, verdict: NonNullable<Plan["verdict"]>, input: unknown, options: CallbackOptions): void {
    plan.verdict = verdict;
    // Asked again just before an approved call runs: then the first question counts.
    if (verdict === "ask" && !wasGranted(options.messages, options.toolCallId, input)) {
      this.#remember(questionOf(options.toolCallId, plan.toolId, plan.args), plan.digest);
    }
  }

  /** Answers the engine, which asks before a guarded tool runs. No opinion leaves it to the application's approver. */
  answer(
    asked: ApprovalRequest,
    input: unknown,
    options: CallbackOptions,
  ): Approval | undefined | Promise<Approval | undefined> {
    if (wasGranted(options.messages, options.toolCallId, input)) {
      const before = this.asked.get(questionOf(options.toolCallId, asked.toolId, asked.arguments));
      return (
        before === undefined ||
        before === asked.digest || {
          approved: false,
          reason: "the tool changed after this call was approved; make the call again",
        }
      );
    }
    const plan = this.plans.at(input);
    if (plan?.verdict && plan.toolId === asked.toolId && plan.digest === asked.digest)
      return opinion(plan.verdict);
    // The framework has not asked (5 does not), or the tool changed since: the rule is asked now.
    return this.#late(asked, input, options);
  }

  async #late(
    asked: ApprovalRequest,
    input: unknown,
    options: CallbackOptions,
  ): Promise<Approval | undefined> {
    const plan = await this.plans.remake(input);
    if (plan?.toolId !== asked.toolId || plan.digest !== asked.digest) return undefined;
    await prepareContext(plan, options);
    return opinion(await verdictOf(plan, options));
  }

  #remember(question: string, digest: string): void {
    this.asked.delete(question);
    this.asked.set(question, digest);
    for (const oldest of this.asked.keys()) {
      if (this.asked.size <= remembered) break;
      this.asked.delete(oldest);
    }
  }
}

/** Call ids repeat between conversations, so a question is the id with what it is about. */
function questionOf(toolCallId: string, toolId: string, args: unknown): string {
  return JSON.stringify([toolCallId, toolId, args]);
}

function opinion(verdict: NonNullable<Plan["verdict"]>): Approval | undefined {
  return verdict === "ask" ? undefined : true;
}

/** What the rule says; arguments that the target's own schema refuses are asked about by nobody. */
async function verdictOf(plan: Plan, options: CallbackOptions): Promise<NonNullable<Plan["verdict"]>> {
  const { target, checked, requiresApproval } = plan;
  const rule = target?.tool.needsApproval;
  if (checked && "refusal" in checked) return "free";
  if (typeof rule !== "function" || !checked) return requiresApproval ? "ask" : "free";
  return (await rule.call(target?.tool, checked.value, ownOptions(plan, options))) ? "ask" : "free";
}

/**
 * Whether the framework runs this call because a person said yes: the last message holds the answer to the request of
 * this call, and no result of it. The framework has checked the same before it came here.
 */
function wasGranted(messages: readonly ModelMessage[], toolCallId: string, input: unknown): boolean {
  const last = messages.at(-1);
  if (last?.role !== "tool") return false;
  const answers = new Map<string, boolean>();
  for (const part of last.content as readonly Part[]) {
    if (part.type === "tool-result" && part.toolCallId === toolCallId) return false;
    // Of several answers to one request the first counts, as it does for the framework.
    if (
      part.type === "tool-approval-response" &&
      part.approvalId !== undefined &&
      !answers.has(part.approvalId)
    ) {
      answers.set(part.approvalId, part.approved === true);
    }
  }
  const parts = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? (content as readonly Part[]) : [],
  );
  const call = parts.findLast((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  if (!call || !sameInput(call.input, saidInput(input))) return false;
  return parts.some(
    (part) =>
      part.type === "tool-approval-request" &&
      part.toolCallId === toolCallId &&
      part.approvalId !== undefined &&
      answers.get(part.approvalId) === true,
  );
}

function sameInput(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The fields of a message's part that matter here. */
interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly input?: unknown;
  readonly approvalId?: string;
  readonly approved?: boolean;
}
