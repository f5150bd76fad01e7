// A recall as a message of Mastra: a search that was made already, behind the user's turn that it answers.
// Knows nothing of how a recall is found. It becomes part of the conversation, so a turn has one and a prompt only grows.

import type { MastraDBMessage } from "@mastra/core/agent";
import { capabilityNames, type SearchResult } from "honeyguide";

/** Finds what a turn is about; nothing when nothing matches. */
export type Recall = (query: string) => Promise<SearchResult | null>;

/** The call and its result, as if the model had searched; Mastra keeps both in one message, and closes it as a step. */
export function toMessages(recalled: SearchResult, query: string, turn = 0): MastraDBMessage[] {
  const toolCallId = idOf(query, turn);
  const message = {
    id: `${toolCallId}-${crypto.randomUUID()}`,
    role: "assistant",
    createdAt: new Date(),
    content: {
      format: 2,
      parts: [
        {
          type: "tool-invocation",
          toolInvocation: {
            state: "result",
            toolCallId,
            toolName: capabilityNames.search,
            args: { query },
            result: recalled,
          },
        },
        // Without it the model's own calls would join this one, and the prompt before them would change.
        { type: "step-start" },
      ],
    },
  };
  return [message as MastraDBMessage];
}

/** The messages with the recall of the user turn that they end in; the same array when there is none to add. */
export async function append(messages: MastraDBMessage[], recall: Recall): Promise<MastraDBMessage[]> {
  const last = messages.at(-1);
  // Behind any other message something has answered the turn already, a recall or the model.
  if (last?.role !== "user") return messages;
  const query = textOf(last);
  const recalled = query.trim() === "" ? null : await recall(query);
  if (recalled === null) return messages;
  const { threadId, resourceId } = last;
  const added = toMessages(recalled, query, messages.length).map((message) => ({
    ...message,
    ...(threadId === undefined ? {} : { threadId }),
    ...(resourceId === undefined ? {} : { resourceId }),
  }));
  return [...messages, ...added];
}

/** What the last user turn says; nothing where there is none. */
export function turnOf(messages: readonly MastraDBMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last ? textOf(last) : "";
}

function textOf({ content }: MastraDBMessage): string {
  return content.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** The same for the same turn, so that a repeated run has the same bytes; nine letters and digits, as Mistral wants. */
function idOf(query: string, turn: number): string {
  let hash = 0x811c9dc5;
  for (const character of `${turn}:${query}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return `hgr${(hash % 36 ** 6).toString(36).padStart(6, "0")}`;
}
