// Which tools ask before they run, by the settings and by what a server says of them. Knows no person.

import type { ListedTool } from "../definition.js";
import { asksFirst, idOf } from "../definition.js";
import type { ApprovalSettings } from "./settings.js";

/** The rule for the tools of one server. */
export function ruleFor(server: string, { ask = "destructive", always, never }: ApprovalSettings) {
  return (tool: ListedTool): boolean => {
    const id = idOf(server, tool.name);
    // A rule that asks is the stronger one: whoever wrote it wanted to be asked.
    if (always.some((pattern) => matches(pattern, id))) return true;
    if (never.some((pattern) => matches(pattern, id))) return false;
    return asksFirst(tool, ask);
  };
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}
