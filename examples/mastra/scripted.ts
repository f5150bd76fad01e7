// A model that follows a script, so that the example runs without a key. It calls what a model would call.

import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";

const script = [
  { toolName: "invoke_tool", input: { toolId: "weather__forecast", args: { city: "Oslo" } } },
  { toolName: "mail__send", input: { to: "Ada", text: "7 degrees in Oslo" } },
];

/** The model. */
export function scripted() {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  let step = 0;
  return new MockLanguageModelV3({
    doStream: async () => {
      const call = script[step++];
      const reason = call ? "tool-calls" : "stop";
      const end = { type: "finish", finishReason: { unified: reason, raw: reason }, usage } as const;
      const toolCallId = `call-${step}`;
      return {
        stream: call
          ? convertArrayToReadableStream([
              {
                type: "tool-call",
                toolCallId,
                toolName: call.toolName,
                input: JSON.stringify(call.input),
              } as const,
              end,
            ])
          : convertArrayToReadableStream([
              { type: "text-start", id: "t" } as const,
              { type: "text-delta", id: "t", delta: "I mailed Ada the forecast." } as const,
              { type: "text-end", id: "t" } as const,
              end,
            ]),
      };
    },
  });
}
