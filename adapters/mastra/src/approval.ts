// Whether a call may run: the target's own rule, asked with the target's own arguments where Mastra asks, and what came
// of it. Knows nothing of how a call is made. A yes holds for one tool, its definition and its arguments.

import type { AdapterHost, Approval, ApprovalRequest } from "honeyguide";
import { type Plan, planOf } from "./plan.js";
import { ruleOf } from "./target.js";
import type { ExecutionContext, RequestContextLike, RequireToolApproval, RuleContext } from "./types.js";

/** How many open questions are remembered; a question is forgotten after this many newer ones. */
const remembered = 1024;

/** Where Mastra keeps what a run asks about beside the tools' own rules. */
const settingOfRun = "__mastra_requireToolApproval";

/** Asks and remembers, for all views of one engine. */
export class Approvals {
  /** The definition that a call was announced with, by call: what a person was asked about. */
  readonly #announced = new Map<string, string>();
  /** Calls that the run's own setting has been asked about: they come back only after a yes. */
  readonly #suspended = new Set<string>();

  /** Hears of a call before Mastra asks about it. Announced again just before it runs: then the first time counts. */
  announce({ toolId, args, digest }: Plan, toolCallId: string): void {
    const call = callOf(toolCallId, toolId, args);
    remember(this.#announced, call, this.#announced.get(call) ?? digest);
  }

  /** The rule of invoke_tool, for Mastra: the target's own, or the run's. */
  async needed(
    plan: Plan,
    context: RuleContext | undefined,
    request: RequestContextLike | undefined,
  ): Promise<boolean> {
    return (await ownVerdict(plan, context)) || (await verdictOfRun(plan, context, request));
  }

  /** Answers the engine, which asks before a guarded tool runs. No opinion leaves it to the application's approver. */
  async answer(
    host: AdapterHost,
    asked: ApprovalRequest,
    context: ExecutionContext,
  ): Promise<Approval | undefined> {
    const call = callOf(context.agent?.toolCallId, asked.toolId, asked.arguments);
    const before = this.#announced.get(call);
    // What Mastra announced it runs only after it asked the rule, and a person where the rule said so.
    if (context.agent && before !== undefined) {
      this.#announced.delete(call);
      return (
        before === asked.digest || {
          approved: false,
          reason: "the tool changed after this call was approved; make the call again",
        }
      );
    }
    // Nobody has asked: a workflow's step, a call by host code.
    const plan = planOf(host, { toolId: asked.toolId, args: asked.arguments });
    if (!plan || plan.digest !== asked.digest) return undefined;
    const { requestContext, workspace } = context;
    const told = { ...(requestContext ? { requestContext: visible(requestContext) } : {}), workspace };
    return (await ownVerdict(plan, told)) ? undefined : true;
  }

  /**
   * Whether the run's own setting has to be asked about first. Mastra leaves it out for a tool with a rule, which
   * invoke_tool is; where its request context was there when the tools were made, the rule has asked already.
   */
  async suspends(plan: Plan, input: unknown, context: ExecutionContext): Promise<boolean> {
    const { agent, runId, requestContext, workspace } = context;
    if (!agent?.suspend || !requestContext) return false;
    const call = JSON.stringify([runId, agent.toolCallId, input]);
    if (this.#suspended.delete(call)) return false;
    const told = { requestContext: visible(requestContext), workspace };
    if (!(await verdictOfRun(plan, told, requestContext)) || (await ownVerdict(plan, told))) return false;
    remember(this.#suspended, call);
    await agent.suspend(
      {},
      { requireToolApproval: { toolCallId: agent.toolCallId, toolName: plan.toolId, args: plan.args } },
    );
    return true;
  }
}

/** What the target's own rule says; one that throws asks. */
async function ownVerdict({ target, args, requiresApproval }: Plan, context: RuleContext | undefined) {
  const rule = target && ruleOf(target.tool);
  if (typeof rule !== "function") return requiresApproval;
  try {
    return Boolean(await rule.call(target?.tool, args, { ...context, args } as RuleContext));
  } catch {
    return true;
  }
}

/** What the run's setting says, which a tool's own rule overrides. */
async function verdictOfRun(
  { toolId, args, target }: Plan,
  context: RuleContext | undefined,
  request: RequestContextLike | undefined,
): Promise<boolean> {
  const setting = request?.get(settingOfRun) as RequireToolApproval | undefined;
  if (!setting || (target && typeof ruleOf(target.tool) === "function")) return false;
  if (setting === true) return true;
  try {
    return Boolean(await setting({ ...context, toolName: toolId, args }));
  } catch {
    return true;
  }
}

/** The request context as Mastra shows it to rules. */
function visible(context: RequestContextLike): Record<string, unknown> {
  return Object.fromEntries([...context.entries()].filter(([key]) => key !== settingOfRun));
}

/** Call ids repeat between conversations, so a call is its id with what it is about. */
function callOf(toolCallId: string | undefined, toolId: string, args: unknown): string {
  return JSON.stringify([toolCallId, toolId, args]);
}

/** Keeps an entry, and of older ones as many as are remembered. */
function remember(kept: Map<string, string>, key: string, value: string): void;
function remember(kept: Set<string>, key: string): void;
function remember(kept: Map<string, string> | Set<string>, key: string, value = ""): void {
  kept.delete(key);
  if (kept instanceof Map) kept.set(key, value);
  else kept.add(key);
  for (const oldest of kept.keys()) {
    if (kept.size <= remembered) break;
    kept.delete(oldest);
  }
}
