// An agent of Mastra whose model is a script, for both loops; and what its model was sent. Asserts nothing.

import type { Turn } from "@honeyguide/testkit";
import { Mastra } from "@mastra/core";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { InMemoryStore } from "@mastra/core/storage";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";

/** Which version of Mastra is under test. */
export const version = process.env["MASTRA_VERSION"] === "oldest" ? "oldest" : "newest";

/** Both loops of the framework. */
export const loops = ["generate", "stream"] as const;
export type Loop = (typeof loops)[number];

/** A message or a part of one, read loosely: the tests say what they expect in it. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes differ between versions, and the tests name what they read.
export type Loose = any;

/** What the model was sent in one step. */
export interface Sent {
  readonly prompt: Loose[];
  readonly tools: Loose[];
}

/** A model that follows a script, and what it was sent. */
export function scripted(...turns: readonly Turn[]) {
  const sent: Sent[] = [];
  let step = 0;
  const take = (options: Loose): Turn => {
    sent.push(structuredClone({ prompt: options.prompt, tools: options.tools ?? [] }));
    return turns[step++] ?? "done";
  };
  const model = new MockLanguageModelV3({
    doGenerate: async (options: Loose): Promise<Loose> => {
      const turn = take(options);
      return { content: contentOf(turn), finishReason: finish(turn), usage, warnings: [] };
    },
    doStream: async (options: Loose): Promise<Loose> => {
      const turn = take(options);
      const content = contentOf(turn).flatMap((part) =>
        part.type === "text" ? asText(part) : asInput(part),
      );
      const end = { type: "finish", finishReason: finish(turn), usage };
      return {
        stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...content, end]),
      };
    },
  });
  return { model: model as AgentConfig["model"], sent };
}

/** An agent in a Mastra of its own, on a storage that may be another's: then it is the same agent in another process. */
export function agentOf(settings: Partial<AgentConfig> & Loose, storage = new InMemoryStore()) {
  const agent = new Agent({
    id: "tested",
    name: "tested",
    instructions: "help",
    memory: new MockMemory({ storage }),
    ...settings,
  });
  const mastra = new Mastra({ agents: { tested: agent }, storage, logger: false });
  return { agent: mastra.getAgent("tested") as Loose, mastra, storage };
}

/** What came of one run, to its end or to where it waits. */
export interface Ran {
  readonly runId: string;
  readonly text: string;
  /** The chunks of the stream; of `generate`, those that its steps tell of. */
  readonly chunks: Loose[];
}

/** Runs, or goes on, in one of the loops. */
export async function settle(loop: Loop, answer: Promise<Loose>): Promise<Ran> {
  const output = await answer;
  if (loop === "stream") {
    const chunks: Loose[] = [];
    for await (const chunk of output.fullStream) chunks.push(chunk);
    return { runId: output.runId, text: await output.text, chunks };
  }
  const parts = output.steps.flatMap((step: Loose) => [...(step.content ?? [])]);
  const asked = output.suspendPayload ? [{ type: "suspended", payload: output.suspendPayload }] : [];
  return { runId: output.runId, text: output.text ?? "", chunks: [...parts, ...asked] };
}

function contentOf(turn: Turn): Loose[] {
  if (typeof turn === "string") return [{ type: "text", text: turn }];
  return turn.map(([toolCallId, toolName, input]) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: typeof input === "string" ? input : JSON.stringify(input),
  }));
}

function asText({ text }: Loose): Loose[] {
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: text },
    { type: "text-end", id: "t" },
  ];
}

function asInput(call: Loose): Loose[] {
  const { toolCallId: id, toolName, input } = call;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    call,
  ];
}

function finish(turn: Turn): Loose {
  const reason = typeof turn === "string" ? "stop" : "tool-calls";
  return { unified: reason, raw: reason };
}

const usage: Loose = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
