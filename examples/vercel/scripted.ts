// A model that follows a script, so that the example runs without a key. It calls what a model would call.

import { MockLanguageModelV3 } from "ai/test";

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
    doGenerate: async () => {
      const call = script[step++];
      const reason = call ? "tool-calls" : "stop";
      return {
        content: call
          ? [
              {
                type: "tool-call",
                toolCallId: `call-${step}`,
                toolName: call.toolName,
                input: JSON.stringify(call.input),
              },
            ]
          : [{ type: "text", text: "I mailed Ada the forecast." }],
        finishReason: { unified: reason, raw: reason },
        usage,
        warnings: [],
      };
    },
  });
}
