// Which tools ask before they run, by the settings and by what a server says of them. Knows no person.

import type { ListedTool } from "../definition.js";
import { asksFirst, idOf } from "../definition.js";
import { nearest } from "../nearest.js";
import { type ApprovalSettings, type GatewaySettings, serverOf } from "./settings.js";

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

/** What is said of tools that a server does not list, though it lists some: a misspelt rule does not hold for the one that was meant. */
export function idleRules(
  server: string,
  listed: readonly unknown[],
  { approval, tools }: Pick<GatewaySettings, "approval" | "tools">,
): string[] {
  const all = listed.map((item) => String((item as { id?: unknown }).id));
  const ids = all.filter((id) => serverOf(id) === server);
  const said = [
    ...approval.always.map((pattern) => ["approval.always", pattern] as const),
    ...approval.never.map((pattern) => ["approval.never", pattern] as const),
    ...Object.keys(tools).map((id) => ["tools", id] as const),
  ];
  return said
    .filter(([, pattern]) => serverOf(pattern) === server && ids.length > 0)
    .filter(([, pattern]) => !ids.some((id) => matches(pattern, id)))
    .map(([place, pattern]) => {
      const near = nearest(pattern, ids);
      const hint = near === undefined ? "" : `; did you mean \`${near}\`?`;
      return `honeyguide.${place}: \`${pattern}\` is no tool that server \`${server}\` lists${hint}`;
    });
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}
