// A recall as messages of the AI SDK: a search that was made already, after the user's turn that it answers.
// Knows nothing of how a recall is found. Never changes the caller's messages, and gives one turn one recall.

import type { ModelMessage } from "ai";
import type { SearchResult } from "honeyguide";
import { capabilityNames } from "honeyguide";

/** Finds what a turn is about; nothing when nothing matches. */
export type Recall = (query: string) => Promise<SearchResult | null>;

/** The call and its result, as if the model had searched. */
export function toMessages(recalled: SearchResult, query: string, turn = 0): ModelMessage[] {
  const call = { toolCallId: idOf(query, turn), toolName: capabilityNames.search };
  return [
    { role: "assistant", content: [{ type: "tool-call", ...call, input: { query } }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output: { type: "json", value: recalled } }] },
  ] as ModelMessage[];
}

/** Adds recalls to conversations. A turn keeps the recall that it got, so that a prompt only ever grows. */
export class Recalls {
  readonly #known = new WeakMap<ModelMessage, { query: string; messages: Promise<ModelMessage[]> }>();

  constructor(private readonly recall: Recall) {}

  /** The messages with the recall of the last user turn behind it, and of earlier turns behind those. */
  async append(messages: readonly ModelMessage[]): Promise<ModelMessage[]> {
    const last = messages.findLastIndex(({ role }) => role === "user");
    const open = new Set<string>();
    const appended: ModelMessage[] = [];
    for (const [place, message] of messages.entries()) {
      appended.push(message);
      noteCalls(message, open);
      // Between a call and its result nothing may stand; and a turn that was recalled for is done.
      if (message.role !== "user" || open.size > 0 || isRecall(messages[place + 1])) continue;
      if (place === last || this.#known.has(message)) appended.push(...(await this.#of(message, place)));
    }
    return appended;
  }

  #of(message: ModelMessage, turn: number): Promise<ModelMessage[]> {
    const query = textOf(message);
    const known = this.#known.get(message);
    if (known?.query === query) return known.messages;
    const found = query.trim() === "" ? Promise.resolve(null) : this.recall(query);
    const recalled = found.then((result) => (result === null ? [] : toMessages(result, query, turn)));
    this.#known.set(message, { query, messages: recalled });
    return recalled;
  }
}

/** What the last user turn says; nothing where there is none. */
export function turnOf(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last ? textOf(last) : "";
}

function textOf({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Keeps the calls that wait for their result. */
function noteCalls({ content }: ModelMessage, open: Set<string>): void {
  if (typeof content === "string") return;
  for (const part of content) {
    if (part.type === "tool-call" && part.providerExecuted !== true) open.add(part.toolCallId);
    if (part.type === "tool-result") open.delete(part.toolCallId);
  }
}

function isRecall(message: ModelMessage | undefined): boolean {
  if (message?.role !== "assistant" || typeof message.content === "string") return false;
  return message.content.some(
    (part) =>
      part.type === "tool-call" && part.toolName === capabilityNames.search && recallId.test(part.toolCallId),
  );
}

const recallId = /^hgr[0-9a-z]{6}$/;

/** The same for the same turn, so that a repeated step has the same bytes; nine letters and digits, as Mistral wants. */
function idOf(query: string, turn: number): string {
  let hash = 0x811c9dc5;
  for (const character of `${turn}:${query}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return `hgr${(hash % 36 ** 6).toString(36).padStart(6, "0")}`;
}
