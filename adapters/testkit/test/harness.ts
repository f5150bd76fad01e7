// The small framework for the testkit. Asserts nothing.

import type { Adapter } from "honeyguide";
import type { Asked, Entry, Harness, ModelRequest, Outcome, RunRequest } from "../src/index.js";
import type { PlainHooks } from "./adapter.js";
import { goOn, type MadeCall, type PlainAgent, type PlainMessage, type PlainTool, step } from "./plain.js";

type Request = RunRequest<PlainTool, PlainMessage, PlainHooks>;

/** The framework, seen through an adapter that may be broken. */
export function harnessOf(
  adapter: Adapter<PlainTool, PlainMessage, PlainHooks>,
): Harness<PlainTool, PlainMessage, PlainHooks> {
  return {
    adapter,
    abilities: { approval: true, streaming: false, directCalls: true, listing: true, brokenJson: true },
    tool: ({ description, inputSchema, execute, approval, show }) => ({
      description,
      schema: inputSchema,
      ...(execute
        ? {
            run: (args, { id, signal, context }) => {
              const call = { id, signal, context };
              return execute(args, call);
            },
          }
        : {}),
      ...(approval === undefined ? {} : { ask: approval }),
      ...(show ? { show } : {}),
    }),
    run: follow,
  };
}

async function follow(request: Request): Promise<Outcome> {
  const requests: ModelRequest[] = [];
  const asked: Asked[] = [];
  const handed: unknown[] = [];
  let place = 0;
  const model: PlainAgent["model"] = (messages, tools) => {
    requests.push(structuredClone({ prompt: messages.map(entryOf), tools }));
    const turn = request.turns[place++] ?? "done";
    return typeof turn === "string" ? turn : turn.map(madeOf);
  };
  const { view, context, signal } = request;
  const agent = (tools: Request["tools"]): PlainAgent => ({
    model,
    tools,
    context,
    signal,
    heard: (value) => handed.push(value),
    mend: view ? (call) => view.mend(call) : undefined,
    before: view && request.recall ? (messages) => view.before(messages) : undefined,
    lists: view && request.disclose ? (messages) => view.lists(messages) : undefined,
  });
  let { tools } = request;
  let messages: PlainMessage[] = [];
  for (const text of request.says ?? ["please"]) {
    let ran = await step(agent(tools), [...messages, { role: "user", text }]);
    while (ran.waiting.length > 0) {
      const answers = ran.waiting.map((call) => {
        const question = questionOf(call);
        asked.push(question);
        return [call, request.decide?.(question)] as const;
      });
      if (answers.some(([, approved]) => approved === undefined)) break;
      tools = (await request.meanwhile?.()) ?? tools;
      const stored: [PlainMessage, boolean][] = JSON.parse(JSON.stringify(answers));
      ran = await goOn(agent(tools), ran.messages, stored);
    }
    messages = ran.messages;
  }
  const last = messages.at(-1);
  return { requests, asked, partial: [], handed, text: last?.role === "assistant" ? last.text : "" };
}

function madeOf([id, tool, input]: readonly [string, string, unknown]): MadeCall {
  return { id, tool, input: typeof input === "string" ? input : JSON.stringify(input) };
}

function questionOf(call: PlainMessage): Asked {
  if (call.role !== "call") throw new Error("only calls are asked about");
  return { callId: call.id, tool: call.tool, input: call.input };
}

function entryOf(message: PlainMessage): Entry {
  switch (message.role) {
    case "call":
      return { kind: "call", id: message.id, tool: message.tool, input: message.input };
    case "result":
      return { kind: "result", id: message.id, value: message.value, shown: message };
    default:
      return { kind: "text", role: message.role, text: message.text };
  }
}
