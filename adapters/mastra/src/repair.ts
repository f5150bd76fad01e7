// What to do with a call that Mastra would refuse: a found tool called by its own name, or input that is not JSON.
// Mastra has no hook for it, so the model's answer is mended where it comes in. Knows no schema: a mended call goes
// through invoke_tool with all its checks.

import type { Transformer } from "node:stream/web";
import { capabilityNames, toInvocation, toJsonText } from "honeyguide";
import { around } from "./model.js";
import { isObject } from "./types.js";

/** One part of a model's answer, as the AI SDK's models stream it; fields differ by kind. */
interface Part {
  readonly type: string;
  readonly id?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: string;
  readonly providerExecuted?: boolean;
}

/** The model, with calls mended in whatever it answers. */
export function mending<Model>(model: Model): Model {
  return around(model, async (options, answer) => {
    const answered = await answer();
    const names = new Set((options.tools ?? []).map(({ name }) => name));
    if (!names.has(capabilityNames.invoke) || !isStreaming(answered)) return answered;
    return { ...answered, stream: answered.stream.pipeThrough(new TransformStream(mender(names))) };
  });
}

/** Mends a stream of parts: what is said of a call's input waits until the call is there. */
function mender(names: ReadonlySet<string>): Transformer<Part, Part> {
  const held = new Map<string, Part>();
  return {
    transform(part, controller) {
      const { type, id = "", toolName = "", providerExecuted } = part;
      if (type === "tool-input-start" && !names.has(toolName) && providerExecuted !== true) {
        held.set(id, part);
      } else if ((type === "tool-input-delta" || type === "tool-input-end") && held.has(id)) {
        // Said again, of the mended call.
      } else if (type === "tool-call" && providerExecuted !== true) {
        const call = mended(part, names);
        const start = held.get(call.toolCallId ?? "");
        if (start) {
          const { toolName: name, input: delta } = call;
          for (const said of [
            { ...start, toolName: name },
            { type: "tool-input-delta", id: start.id, delta },
            { type: "tool-input-end", id: start.id },
          ]) {
            controller.enqueue(said as Part);
          }
        }
        controller.enqueue(call);
      } else {
        controller.enqueue(part);
      }
    },
  };
}

/** The call as one that Mastra takes: of invoke_tool, or with input that is JSON. */
function mended(call: Part, names: ReadonlySet<string>): Part {
  const { toolName = "", input = "" } = call;
  // An unknown name too: the engine then tells the model which tools there are.
  if (!names.has(toolName))
    return { ...call, toolName: capabilityNames.invoke, input: toInvocation(toolName, input) };
  if (!ours.has(toolName) || input.trim() === "") return call;
  return { ...call, input: toJsonText(input) };
}

const ours: ReadonlySet<string> = new Set(Object.values(capabilityNames));

function isStreaming(answer: unknown): answer is { stream: ReadableStream<Part> } {
  return isObject(answer) && "stream" in answer && answer.stream instanceof ReadableStream;
}
