// Answers a call of one of the three tools: what core or a server says, as a result of the protocol. Knows no transport.

import {
  type ApprovalRequest,
  type Approve,
  capabilityNames,
  type ErrorReply,
  isErrorReply,
} from "honeyguide";
import { partsOf } from "../definition.js";
import type { CallListener, GatewayCatalog } from "./catalog.js";

/** How a call is made. */
export interface CallTerms {
  readonly signal: AbortSignal;
  readonly approve: Approve;
  readonly onProgress: CallListener["onProgress"];
}

/** What comes of a call. `whole`: as a server said it, not to be judged. */
export interface Answer {
  readonly result: Record<string, unknown>;
  readonly whole: boolean;
}

/** The conversation: one client, one connection, one process. */
const session = "gateway";

/** Whether a name is one of the three. */
export function isCapability(name: string): boolean {
  return (Object.values(capabilityNames) as string[]).includes(name);
}

/** Calls one of the three tools. */
export async function answerCall(
  catalog: GatewayCatalog,
  name: string,
  args: unknown,
  { signal, approve, onProgress }: CallTerms,
): Promise<Answer> {
  if (name !== capabilityNames.invoke) await catalog.skillsRead;
  await catalog.noticeSignIns();
  const context: CallListener = { onProgress };
  let asked: ApprovalRequest | undefined;
  const value = await catalog.hg.call(name, args ?? {}, {
    session,
    signal,
    context,
    approve: (request) => {
      asked = request;
      return approve(request);
    },
  });
  if (name === capabilityNames.invoke && isServers(value))
    return { result: cutDown(catalog, value), whole: true };
  const reply = isErrorReply(value) ? mended(catalog, value, asked) : value;
  const content = [{ type: "text", text: JSON.stringify(reply) ?? "null" }];
  return { result: { content, ...(isErrorReply(value) && { isError: true }) }, whole: false };
}

/** Whether it is a server's answer: those of core have no content, and a server's that has none may be read as text. */
function isServers(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return "content" in value || !isErrorReply(value);
}

/** The result within the limit of the configuration. Structure that says what was cut would only repeat it. */
function cutDown(
  { hg, maxResultChars }: GatewayCatalog,
  result: Record<string, unknown>,
): Record<string, unknown> {
  if (!maxResultChars) return result;
  const { structuredContent, ...rest } = result;
  const cut = hg.forModel(rest) as Record<string, unknown>;
  const isWhole = JSON.stringify(cut["content"]) === JSON.stringify(rest["content"]);
  const fits = structuredContent !== undefined && JSON.stringify(structuredContent).length <= maxResultChars;
  return { ...rest, content: cut["content"] ?? [], ...(isWhole && fits && { structuredContent }) };
}

/** An error of core with what only the gateway knows: why a server is away, and which line allows a call. */
function mended(catalog: GatewayCatalog, reply: ErrorReply, asked: ApprovalRequest | undefined): ErrorReply {
  const next = nextOf(catalog, reply, asked);
  return next === undefined ? reply : { ...reply, next };
}

function nextOf(
  catalog: GatewayCatalog,
  { error, toolId, requested }: ErrorReply,
  asked: ApprovalRequest | undefined,
): string | undefined {
  if (error === "needs_approval" && asked) {
    const line = `"never": [${JSON.stringify(asked.toolId)}]`;
    return `tell the user that this needs an approval, which this client cannot ask for; \`${line}\` below \`honeyguide.approval\` in the gateway's configuration allows it without one`;
  }
  if (error !== "unknown_tool" && error !== "tool_failed") return undefined;
  const id = toolId ?? requested ?? "";
  return partsOf(id) === undefined ? undefined : catalog.whyAbsent(id);
}
