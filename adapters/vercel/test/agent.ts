// An agent of the AI SDK whose model is a script, the same for each major and for both loops. Asserts nothing.

import { generateText, type ModelMessage, stepCountIs, streamText, type ToolSet } from "ai";
import * as mocks from "ai/test";
import { convertArrayToReadableStream } from "ai/test";

/** The major under test. */
export const major = Number(process.env["AI_MAJOR"] ?? "6");

/** Whether it is the oldest version of the major that is supported. */
export const oldest = process.env["AI_OLDEST"] === "true";

/** Both loops of the framework. */
export const loops = ["generateText", "streamText"] as const;

/** A call that the model makes: its id, the tool and the input, as JSON text when it is a string. */
export type Call = readonly [id: string, tool: string, input: unknown];

/** What the model says in one step. */
export type Turn = string | readonly Call[];

/** What the model was sent in one step. */
export interface Sent {
  readonly prompt: Message[];
  readonly tools: unknown[];
}

/** A message or a part of one, read loosely: the tests say what they expect in it. */
// biome-ignore lint/suspicious/noExplicitAny: three majors, three shapes.
export type Message = any;

/** What came of a run. */
export interface Outcome {
  /** Everything of all steps. */
  readonly content: Message[];
  /** What the application would append to its messages. */
  readonly messages: ModelMessage[];
  /** The parts of the stream, in order; empty for `generateText`. */
  readonly parts: Message[];
  readonly text: string;
}

/** A model that follows a script, and what it was sent. */
export function scripted(...turns: Turn[]) {
  const sent: Sent[] = [];
  let step = 0;
  const take = (options: Message): Turn => {
    sent.push(structuredClone({ prompt: options.prompt, tools: options.tools ?? [] }));
    return turns[step++] ?? "done";
  };
  const Mock: Message = Reflect.get(mocks, `MockLanguageModelV${major === 5 ? 2 : major === 6 ? 3 : 4}`);
  const model = new Mock({
    doGenerate: async (options: Message) => {
      const turn = take(options);
      return { content: contentOf(turn), finishReason: finish(turn), usage: usage(), warnings: [] };
    },
    doStream: async (options: Message) => {
      const turn = take(options);
      const content = contentOf(turn).flatMap((part) =>
        part.type === "text" ? asText(part) : asInput(part),
      );
      const end = { type: "finish", finishReason: finish(turn), usage: usage() };
      return {
        stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...content, end]),
      };
    },
  });
  return { model, sent };
}

/** Runs one of the framework's loops. */
export async function run(
  loop: (typeof loops)[number],
  options: { model: Message; tools: ToolSet; messages?: ModelMessage[] } & Record<string, unknown>,
): Promise<Outcome> {
  const { messages = [{ role: "user", content: "please" }], repairToolCall, ...others } = options;
  const settings: Message = {
    stopWhen: stepCountIs(8),
    messages,
    ...others,
    // The first 7 still have the old name.
    experimental_repairToolCall: repairToolCall,
    ...(major < 7 ? {} : { repairToolCall }),
  };
  const parts: Message[] = [];
  if (loop === "streamText") {
    const result: Message = streamText({ ...settings, onError: () => {} });
    for await (const part of result.fullStream) parts.push(part);
    return outcomeOf(
      await result.steps,
      (await result.responseMessages) ?? (await result.response).messages,
      parts,
    );
  }
  const result: Message = await generateText(settings);
  return outcomeOf(result.steps, result.responseMessages ?? result.response.messages, parts);
}

function outcomeOf(steps: Message[], messages: ModelMessage[], parts: Message[]): Outcome {
  const content = steps.flatMap((step) => step.content);
  return { content, messages, parts, text: steps.at(-1)?.text ?? "" };
}

function contentOf(turn: Turn): Message[] {
  if (typeof turn === "string") return [{ type: "text", text: turn }];
  return turn.map(([toolCallId, toolName, input]) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: typeof input === "string" ? input : JSON.stringify(input),
  }));
}

function asText({ text }: Message): Message[] {
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: text },
    { type: "text-end", id: "t" },
  ];
}

function asInput(call: Message): Message[] {
  const { toolCallId: id, toolName, input } = call;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    call,
  ];
}

function finish(turn: Turn): unknown {
  const reason = typeof turn === "string" ? "stop" : "tool-calls";
  return major === 5 ? reason : { unified: reason, raw: reason };
}

function usage(): unknown {
  if (major === 5) return { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
}

/** The results in the tool messages of a prompt, by call. */
export function resultsIn(prompt: Message[]): Record<string, Message> {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return Object.fromEntries(
    parts
      .filter((part: Message) => part.type === "tool-result")
      .map((part: Message) => [part.toolCallId, part.output]),
  );
}
