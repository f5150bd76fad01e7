// What to do with a call that the framework refused: a found tool called by its own name, or input that is not JSON.
// Knows no schema: a repaired call goes through invoke_tool with all its checks.

import { capabilityNames, toInvocation, toJsonText } from "honeyguide";
import { isListed } from "./listed.js";

/** A call as the model made it. */
interface RawCall {
  readonly toolName: string;
  /** JSON text, or what the model took for it. */
  readonly input: string;
}

/** Repairs a call; null leaves it refused. */
export function repair<Call extends RawCall>(
  toolCall: Call,
  tools: Readonly<Record<string, unknown>> | undefined,
  ours: ReadonlySet<string>,
): Call | null {
  if (!tools || !Object.hasOwn(tools, capabilityNames.invoke)) return null;
  if (Object.hasOwn(tools, toolCall.toolName)) {
    const isOurs = ours.has(toolCall.toolName) || isListed(tools[toolCall.toolName]);
    // Text that is JSON was refused for what is in it (a forbidden key): that stays.
    if (!isOurs || toJsonText(toolCall.input) === toolCall.input) return null;
    return { ...toolCall, input: toJsonText(toolCall.input) };
  }
  // An unknown name too: the engine then tells the model which tools there are.
  return {
    ...toolCall,
    toolName: capabilityNames.invoke,
    input: toInvocation(toolCall.toolName, toolCall.input),
  };
}
