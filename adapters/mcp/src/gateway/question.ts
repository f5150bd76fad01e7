// What a person is asked before a tool runs, and what an answer means. Knows no protocol and no client.

import type { ApprovalRequest } from "honeyguide";
import { partsOf } from "../definition.js";
import { brief } from "./brief.js";
import { asName } from "./harmless.js";

/** What the person may answer. */
export const decisionSchema = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "Decision",
      enum: ["once", "session", "no"],
      enumNames: ["Allow once", "Allow this tool until the session ends", "Do not allow"],
    },
  },
  required: ["decision"],
} as const;

/** What was decided. */
export type Decision = { readonly allowed: "once" | "session" } | { readonly refused: string };

/** About how many characters of arguments a person reads. */
const most = 1000;

/** The question: arguments and names were written by models and servers, and must not be able to ask another one. */
export function questionOf({ toolId, arguments: args }: ApprovalRequest): string {
  const { server, tool } = partsOf(toolId) ?? { server: "", tool: toolId };
  const shown = brief(args ?? {}, most);
  return `Allow \`${asName(tool)}\` of server \`${asName(server)}\` to run?\nArguments: ${shown}`;
}

/** What an answer of the client means: anything but a clear yes is a no. */
export function decisionOf(answer: unknown): Decision {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: { decision?: unknown } | null };
  if (action === "decline") return { refused: "the user did not allow this call" };
  if (action === "cancel") return { refused: "the user dismissed the question" };
  const decision = action === "accept" ? content?.decision : undefined;
  if (decision === "once" || decision === "session") return { allowed: decision };
  if (decision === "no") return { refused: "the user did not allow this call" };
  return { refused: "the answer is none of those that were offered" };
}
