// One catalog as a server of the official package: its list, its calls, its questions. Knows no process and no stream.

import type { ClientCapabilities, Server, ServerContext } from "@modelcontextprotocol/server";
import { type ApprovalRequest, capabilityNames } from "honeyguide";
import manifest from "../../package.json" with { type: "json" };
import type { Allowances } from "./allowance.js";
import { answerCall, isCapability } from "./answer.js";
import type { GatewayCatalog } from "./catalog.js";
import type { Log } from "./log.js";
import type { Official } from "./official.js";
import { decisionOf, decisionSchema, questionOf } from "./question.js";
import type { WholeResults } from "./wire.js";

/** What a server is made of. */
export interface ServerParts {
  readonly official: Official;
  readonly catalog: GatewayCatalog;
  readonly allowances: Allowances;
  readonly transport: WholeResults;
  readonly instructions: string;
  readonly log: Log;
}

/** The key of the one question in a request for input. */
const questionKey = "approval";
/** How long a person may think, in milliseconds: a timer can wait no longer. */
const forAsLongAsItTakes = 2 ** 31 - 1;

/** Makes a server for one revision of the protocol: the client's first message decides which. */
export function gatewayServer(parts: ServerParts): Server {
  const { official, catalog, instructions } = parts;
  const server = new official.Server(
    { name: "honeyguide", version: manifest.version },
    {
      capabilities: { tools: {} },
      instructions,
      inputRequired: { roundTimeoutMs: forAsLongAsItTakes },
    },
  );
  // Written once: the same bytes whatever happens behind it.
  const tools = catalog.hg.modelTools();
  server.setRequestHandler("tools/list", () => ({ tools: tools as never }));
  server.setRequestHandler("tools/call", (request, context) => call(parts, server, request.params, context));
  return server;
}

async function call(
  { official, catalog, allowances, transport, log }: ServerParts,
  server: Server,
  { name, arguments: args }: { name: string; arguments?: unknown },
  context: ServerContext,
) {
  if (!isCapability(name)) {
    const known = Object.values(capabilityNames).join(", ");
    throw new official.ProtocolError(
      official.ProtocolErrorCode.InvalidParams,
      `unknown tool \`${name}\`; this server has ${known}, and calls other tools through ${capabilityNames.invoke}`,
    );
  }
  log.detail(`call of \`${subjectOf(name, args)}\``);
  const { signal, inputResponses, id } = context.mcpReq;
  let asking: ApprovalRequest | undefined;
  const approve = (request: ApprovalRequest) => {
    if (allowances.holds(request)) return true;
    if (inputResponses && allowances.takeBack(context.mcpReq.requestState(), request)) {
      const decision = decisionOf(inputResponses[questionKey]);
      if ("refused" in decision) return { approved: false, reason: decision.refused };
      if (decision.allowed === "session") allowances.allow(request);
      return true;
    }
    if (!canAsk(official, server, context)) return undefined;
    asking = request;
    return false;
  };
  const answer = await answerCall(catalog, name, args, { signal, approve, onProgress: progressTo(context) });
  if (asking) {
    // Nothing waits here meanwhile: the question goes out, and the same call comes in again with its answer.
    return official.inputRequired({
      requestState: allowances.ask(asking),
      inputRequests: {
        [questionKey]: official.inputRequired.elicit({
          message: questionOf(asking),
          requestedSchema: decisionSchema as never,
        }),
      },
    });
  }
  return (answer.whole ? transport.keep(id, answer.result, signal) : answer.result) as { content: [] };
}

/** What is called, for whoever follows the log; no argument. */
function subjectOf(name: string, args: unknown): string {
  const { toolId, skillId } = (args ?? {}) as { toolId?: unknown; skillId?: unknown };
  return [toolId, skillId].find((id) => typeof id === "string") ?? name;
}

/** Whether the client shows a form to a person. */
function canAsk(official: Official, server: Server, { mcpReq }: ServerContext): boolean {
  // One revision says it with each request, the others said it at the beginning.
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const declared = envelope?.[official.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const elicitation = declared?.elicitation;
  if (elicitation === undefined) return false;
  // Before there were addresses to open, a client that asked at all showed forms.
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}

/** Hands progress on to the one who asked for it with this very call. */
function progressTo({ mcpReq }: ServerContext): (progress: unknown) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return (progress) => {
    const params = { ...(progress as { progress: number }), progressToken };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
