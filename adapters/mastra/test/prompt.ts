// What a model's prompt says of the results of calls. Asserts nothing.

import type { Loose } from "./agent.js";

/** The results in the tool messages of a prompt, by call. */
export function resultsIn(prompt: Loose[]): Record<string, Loose> {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return Object.fromEntries(
    parts
      .filter((part: Loose) => part.type === "tool-result")
      .map((part: Loose) => [part.toolCallId, part.output]),
  );
}
