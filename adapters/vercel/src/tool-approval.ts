// The approval that an application of 7 configures per call, by the names of catalogued tools, for invoke_tool.
// Knows nothing of how a call is made.

import type { ModelMessage } from "ai";
import { capabilityNames } from "honeyguide";
import { envelopeOf } from "./envelope.js";
import type { InvokeTool } from "./invoke.js";

/** What the framework makes of an answer. */
export type ApprovalStatus =
  | undefined
  | "not-applicable"
  | "approved"
  | "denied"
  | "user-approval"
  | { type: "not-applicable"; reason?: never }
  | { type: "approved"; reason?: string }
  | { type: "denied"; reason?: string }
  | { type: "user-approval"; reason?: string };

/** `toolApproval` as the application writes it: by tool, or one function for all. */
export type ToolApproval = GenericRule | Readonly<Record<string, ApprovalStatus | SingleRule>>;

/** The rule for one tool. */
// biome-ignore lint/suspicious/noExplicitAny: the input's type is that of a tool which the framework does not see.
export type SingleRule = (input: any, options: SingleOptions) => ApprovalStatus | PromiseLike<ApprovalStatus>;

/** What a rule for one tool is told. */
export interface SingleOptions {
  readonly toolCallId: string;
  readonly messages: ModelMessage[];
  readonly toolContext: unknown;
  readonly runtimeContext: unknown;
}

/** The rule for all tools. */
// biome-ignore lint/suspicious/noExplicitAny: only 7 has these types, and this package is typed against each major.
export type GenericRule = (given: any) => ApprovalStatus | PromiseLike<ApprovalStatus>;

/** What the framework tells a rule for all tools, as far as it is read here. */
interface Given {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  readonly messages: ModelMessage[];
  readonly toolsContext?: Readonly<Record<string, unknown>>;
}

/**
 * The configuration for the framework: catalogued tools are asked about by name and with their own arguments, whether they
 * are called through invoke_tool or listed (under these names, with these ids).
 */
export function forFramework(
  configured: ToolApproval,
  invoke: InvokeTool,
  listed: ReadonlyMap<string, string>,
): ToolApproval {
  if (typeof configured === "function") return forAll(configured, invoke, listed);
  const single = (invocationOf: (input: unknown) => unknown) => (said: unknown, given: SingleOptions) => {
    const { toolCallId, messages, toolContext } = given;
    const options = { toolCallId, messages, context: toolContext };
    const input = invocationOf(said);
    return invoke.approvalStatus(input, options, (own) => {
      // Without a rule of the application the tool's own stands.
      if (!Object.hasOwn(configured, own.toolId)) return invoke.ownStatus(input, options);
      const rule = configured[own.toolId];
      return typeof rule === "function" ? rule(own.input, { ...given, toolContext: own.context }) : rule;
    });
  };
  const ofListed = Array.from(listed)
    .filter(([, toolId]) => Object.hasOwn(configured, toolId))
    .map(([name, toolId]) => [name, single((input) => envelopeOf(toolId, input))]);
  return {
    ...configured,
    ...Object.fromEntries(ofListed),
    [capabilityNames.invoke]: single((input) => input),
  };
}

function forAll(rule: GenericRule, invoke: InvokeTool, listed: ReadonlyMap<string, string>): GenericRule {
  return async (given: Given) => {
    const { toolCall, messages, toolsContext } = given;
    const { toolName, toolCallId } = toolCall;
    const listedId = listed.get(toolName);
    if (toolName !== capabilityNames.invoke && listedId === undefined) return rule(given);
    const input = listedId === undefined ? toolCall.input : envelopeOf(listedId, toolCall.input);
    const options = { toolCallId, messages, context: toolsContext?.[toolName] };
    return invoke.approvalStatus(input, options, ({ toolId, input: own }) =>
      rule({ ...given, toolCall: { ...toolCall, toolName: toolId, input: own } }),
    );
  };
}
