// Mastra for the testkit: its tools, its loops, and what its model was sent, in the testkit's words. Asserts nothing.

import type {
  Abilities,
  Asked,
  Entry,
  Harness,
  ModelRequest,
  Outcome,
  RunRequest,
  WantedTool,
} from "@honeyguide/testkit";
import type { MastraDBMessage, ToolsInput } from "@mastra/core/agent";
import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { type MastraHooks, mastra } from "../src/index.js";
import { agentOf, type Loop, type Loose, type Ran, type Sent, scripted, settle } from "./agent.js";

type Request = RunRequest<ToolsInput[string], MastraDBMessage, MastraHooks>;

/** How an agent is given its tools: as they are, or by a function that makes them for each request. */
export const givings = ["modelTools", "toolsFor"] as const;
export type Giving = (typeof givings)[number];

const abilities: Abilities = {
  approval: true,
  streaming: false,
  directCalls: true,
  listing: true,
  brokenJson: true,
};

const differences = {
  "envelopes: null is answered, nothing runs, and the run goes on":
    "Mastra answers null itself, before any tool sees it, and the run goes on",
};

/** One loop of Mastra. */
export function harnessOf(
  loop: Loop,
  giving: Giving = "modelTools",
): Harness<ToolsInput[string], MastraDBMessage, MastraHooks> {
  return { adapter: mastra, abilities, differences, tool, run: (request) => follow(loop, giving, request) };
}

/** The application's part of a request context. */
export function contextIn(requestContext: Loose): Record<string, unknown> {
  const entries: [string, unknown][] = [...(requestContext?.entries() ?? [])];
  return Object.fromEntries(entries.filter(([key]) => !/mastra/i.test(key)));
}

function tool({ description, inputSchema, execute, approval, show }: WantedTool): ToolsInput[string] {
  const wanted: Loose = { id: "a-tool-of-mastra", description, inputSchema };
  if (execute) {
    wanted.execute = (args: unknown, context: Loose) =>
      execute(args, {
        id: context.agent?.toolCallId,
        signal: context.abortSignal,
        context: contextIn(context.requestContext),
      });
  }
  if (approval !== undefined) wanted.requireApproval = approval;
  if (show) wanted.toModelOutput = (output: unknown) => ({ type: "text", value: show(output) });
  return createTool(wanted) as ToolsInput[string];
}

/** Runs turn after turn of one conversation, and answers what is asked. */
async function follow(loop: Loop, giving: Giving, request: Request): Promise<Outcome> {
  const { view } = request;
  const { model, sent } = scripted(...request.turns);
  const processors = view
    ? [
        ...(request.disclose ? [view.disclosing] : []),
        view.repairing,
        ...(request.recall ? [view.recalling] : []),
      ]
    : [];
  const settings = { model, inputProcessors: processors };
  const given =
    view && giving === "toolsFor"
      ? (asked: Parameters<typeof view.toolsFor>[0]) => ({ ...request.tools, ...view.toolsFor(asked) })
      : request.tools;
  let { agent, storage } = agentOf({ ...settings, tools: given });
  const options = {
    memory: { thread: "a-conversation", resource: "tester" },
    requestContext: new RequestContext(Object.entries(request.context ?? {}) as Loose),
    ...(request.signal ? { abortSignal: request.signal } : {}),
  };
  const outcome = { asked: [] as Asked[], handed: [] as unknown[], text: "" };
  for (const said of request.says ?? ["please"]) {
    let ran = await settle(loop, agent[loop](said, options));
    for (let question = questionIn(ran); question; question = questionIn(ran)) {
      outcome.asked.push(question);
      const approved = request.decide?.(question);
      if (approved === undefined) break;
      const others = await request.meanwhile?.();
      if (others) agent = agentOf({ ...settings, tools: others }, storage).agent;
      const answer = `${approved ? "approve" : "decline"}ToolCall${loop === "generate" ? "Generate" : ""}`;
      const about = { ...options, runId: ran.runId, toolCallId: question.callId };
      outcome.handed.push(...handedIn(ran));
      ran = await settle(loop, agent[answer](about));
    }
    outcome.handed.push(...handedIn(ran));
    outcome.text = ran.text;
  }
  return { requests: sent.map(requestOf), partial: [], ...outcome };
}

/** The question that a run waits with. */
function questionIn({ chunks }: Ran): Asked | undefined {
  const chunk = chunks.findLast(({ type }) => type === "tool-call-approval" || type === "suspended");
  if (!chunk) return undefined;
  const { toolCallId, toolName, args } = chunk.payload;
  return { callId: toolCallId, tool: toolName, input: args };
}

function handedIn({ chunks }: Ran): unknown[] {
  return chunks
    .filter(({ type }) => type === "tool-result" || type === "tool-error" || type === "tool-output-denied")
    .map(({ type, payload, output, error }) => [
      type,
      payload?.result ?? output,
      reason(payload?.error ?? error),
    ]);
}

function reason(error: unknown): unknown {
  return error instanceof Error ? [error.name, error.message] : error;
}

function requestOf({ prompt, tools }: Sent): ModelRequest {
  return { tools, prompt: prompt.flatMap(entriesOf) };
}

function entriesOf({ role, content }: Loose): Entry[] {
  const parts: Loose[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.flatMap((part): Entry[] => {
    switch (part.type) {
      case "text":
        return [{ kind: "text", role, text: part.text }];
      case "tool-call":
        return [{ kind: "call", id: part.toolCallId, tool: part.toolName, input: part.input }];
      case "tool-result":
        return [{ kind: "result", id: part.toolCallId, value: part.output.value, shown: part.output }];
      default:
        return [];
    }
  });
}
