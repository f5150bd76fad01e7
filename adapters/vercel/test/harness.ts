// The AI SDK for the testkit: its tools, its loops, and what its model was sent, in the testkit's words. Asserts nothing.

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
import { jsonSchema, type ModelMessage, type ToolSet } from "ai";
import { type VercelHooks, vercel } from "../src/index.js";
import { type loops, type Message, major, run, type Sent, scripted } from "./agent.js";

type Request = RunRequest<ToolSet[string], ModelMessage, VercelHooks>;

export const abilities: Abilities = {
  approval: major > 5,
  streaming: true,
  directCalls: true,
  listing: true,
  brokenJson: true,
};

/** One loop of the major under test. */
export function harnessOf(loop: (typeof loops)[number]): Harness<ToolSet[string], ModelMessage, VercelHooks> {
  return { adapter: vercel, abilities, tool, run: (request) => follow(loop, request) };
}

function tool({ description, inputSchema, execute, approval, show }: WantedTool): ToolSet[string] {
  const made: Message = { description, inputSchema: jsonSchema(inputSchema) };
  if (execute) {
    made.execute = (args: unknown, options: Message) =>
      execute(args, {
        id: options.toolCallId,
        signal: options.abortSignal,
        context: major < 7 ? options.experimental_context : options.context,
      });
  }
  if (approval !== undefined) made.needsApproval = approval;
  if (show) {
    made.toModelOutput = (given: Message) => ({
      type: "text",
      value: show(major === 5 ? given : given.output),
    });
  }
  return made;
}

/** Runs turn after turn of one conversation, and answers what is asked. */
async function follow(loop: (typeof loops)[number], request: Request): Promise<Outcome> {
  const { model, sent } = scripted(...request.turns);
  const outcome = { asked: [] as Asked[], partial: [] as unknown[], handed: [] as unknown[], text: "" };
  let { tools } = request;
  let messages: ModelMessage[] = [];
  for (const content of request.says ?? ["please"]) {
    messages = [...messages, { role: "user", content }];
    for (let open = true; open; ) {
      const ran = await run(loop, { model, tools, messages, ...settings(request, tools) });
      const kept = ran.content.filter(({ type }) => type === "tool-result" || type === "tool-error");
      outcome.handed.push(...kept.map(({ type, output, error }) => [type, output, error]));
      outcome.partial.push(...ran.parts.filter((part) => part.preliminary).map((part) => part.output));
      outcome.text = ran.text;
      messages = [...messages, ...ran.messages];

      const questions = ran.content.filter(({ type }) => type === "tool-approval-request");
      const answers = questions.map((question) => answer(question, request, outcome.asked));
      open = questions.length > 0 && answers.every((given) => given !== undefined);
      if (!open) continue;
      const others = await request.meanwhile?.();
      if (others) {
        tools = others;
        messages = JSON.parse(JSON.stringify(messages));
      }
      messages.push({ role: "tool", content: answers } as ModelMessage);
    }
  }
  return { requests: sent.map(requestOf), ...outcome };
}

function settings({ view, recall, disclose, signal, context }: Request, tools: Request["tools"]): Message {
  return {
    ...(signal ? { abortSignal: signal } : {}),
    ...(view ? { repairToolCall: view.repairToolCall } : {}),
    ...(view && (recall || disclose) ? { prepareStep: view.prepareStep } : {}),
    ...(context && major < 7 ? { experimental_context: context } : {}),
    // A context belongs to a tool in 7; a tool that is catalogued gets that of the tool which calls it.
    ...(context && major > 6
      ? { toolsContext: Object.fromEntries(Object.keys(tools).map((name) => [name, context])) }
      : {}),
  };
}

/** Notes a question and gives the application's answer, when there is one. */
function answer({ approvalId, toolCall }: Message, { decide }: Request, asked: Asked[]): unknown {
  const question = { callId: toolCall.toolCallId, tool: toolCall.toolName, input: toolCall.input };
  asked.push(question);
  const approved = decide?.(question);
  return approved === undefined ? undefined : { type: "tool-approval-response", approvalId, approved };
}

function requestOf({ prompt, tools }: Sent): ModelRequest {
  return { tools: tools as ModelRequest["tools"], prompt: prompt.flatMap(entriesOf) };
}

function entriesOf({ role, content }: Message): Entry[] {
  const parts: Message[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
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
