// What adapters know of the three tools beside their definitions: their names, and a call of a found tool by its own name.
// Knows nothing of what they do.

import { toJsonText } from "./json.js";

/** The names of the three tools, as the engine writes them. */
export const capabilityNames = {
  search: "search_capabilities",
  invoke: "invoke_tool",
  skill: "get_skill_content",
} as const;

/** A tool called by its own name, as the arguments of `invoke_tool`: JSON text, from the text that a model wrote as its arguments. */
export function toInvocation(toolId: string, input: string): string {
  return `{"toolId":${JSON.stringify(toolId)},"args":${input.trim() === "" ? "{}" : toJsonText(input)}}`;
}
