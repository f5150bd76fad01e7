// What to do with a call that the framework refused: a found tool called by its own name, or input that is not JSON.
// Knows no schema: a repaired call goes through invoke_tool with all its checks.

import { invokeName } from "./names.js";

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
  if (!tools || !Object.hasOwn(tools, invokeName)) return null;
  if (Object.hasOwn(tools, toolCall.toolName)) {
    // Text that is JSON was refused for what is in it (a forbidden key): that stays.
    if (!ours.has(toolCall.toolName) || isJson(toolCall.input)) return null;
    return { ...toolCall, input: JSON.stringify(toolCall.input) };
  }
  // An unknown name too: the engine then tells the model which tools there are.
  const args = isJson(toolCall.input) ? toolCall.input : JSON.stringify(toolCall.input);
  const input = `{"toolId":${JSON.stringify(toolCall.toolName)},"args":${toolCall.input.trim() === "" ? "{}" : args}}`;
  return { ...toolCall, toolName: invokeName, input };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
