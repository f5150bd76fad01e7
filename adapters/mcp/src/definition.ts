// One tool of a server as one of the catalog, and what tells whether it changed. Knows no connection.

import { createHash } from "node:crypto";
import type { ApprovalRule } from "./options.js";

/** A tool as a server lists it; whatever else it says of itself is kept. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly title?: string; readonly [hint: string]: unknown };
  readonly [field: string]: unknown;
}

/** What stands between a server's name and a tool's. No server's name holds it, so an id can be read back. */
const separator = "__";

/** What no id holds: not every reader of one gets it back as it was. */
const unusable = /[\p{Cc}\p{Cs}]/u;

/** Why a name cannot be a server's, if it cannot: an id must be read in one way only. */
export function faultOfName(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "") return "a server needs a name, a text that is not empty";
  if (unusable.test(name)) {
    const shown = name.replace(new RegExp(unusable, "gu"), "?");
    return `a server's name holds no control character and no half of a character, which \`${shown}\` does`;
  }
  if (name.includes(separator) || name.endsWith("_")) {
    return `a server's name holds no \`__\` and ends with no \`_\`, which \`${name}\` does: its tools' ids could be read in two ways`;
  }
  return undefined;
}

/** The id of a server's tool in the catalog. */
export function idOf(server: string, tool: string): string {
  return `${server}${separator}${tool}`;
}

/** The server and the tool of an id. */
export function partsOf(id: string): { server: string; tool: string } | undefined {
  const place = id.indexOf(separator);
  if (place < 1) return undefined;
  return { server: id.slice(0, place), tool: id.slice(place + separator.length) };
}

/** What only the host may say of a tool: a server could raise its rank, dodge a rule of visibility or an approval with them. */
const hostsOwn = new Set(["tags", "searchText", "requiresApproval", "execute", "$refused"]);

/** The fields of a catalog tool: everything that the server said, under the catalog's names. */
export function fieldsOf(
  server: string,
  tool: ListedTool,
  said: { requiresApproval?: boolean | undefined },
): Record<string, unknown> & { id: string } {
  const title = tool.title ?? tool.annotations?.title;
  const own = Object.fromEntries(Object.entries(tool).filter(([field]) => !hostsOwn.has(field)));
  return {
    ...own,
    id: idOf(server, tool.name),
    server,
    ...(title !== undefined && { title }),
    description: tool.description ?? title ?? tool.name,
    inputSchema: tool.inputSchema ?? { type: "object" },
    ...(said.requiresApproval !== undefined && { requiresApproval: said.requiresApproval }),
  };
}

/** Whether somebody is asked before the tool runs, by a rule. What cannot be judged asks. */
export function asksFirst(tool: ListedTool, rule: ApprovalRule): boolean {
  if (rule === "none") return false;
  if (rule === "destructive") return tool.annotations?.["destructiveHint"] === true;
  if (rule === "writes") return tool.annotations?.["readOnlyHint"] !== true;
  try {
    return rule(tool) !== false;
  } catch {
    return true;
  }
}

/** Whether a call may be made again when nobody knows what became of it. */
export function isRepeatable({ annotations }: ListedTool): boolean {
  return annotations?.["readOnlyHint"] === true || annotations?.["idempotentHint"] === true;
}

/** SHA-256 of what a model or a person would judge the tool by, in hex. Icons and `_meta` may change. */
export function digestOf(tool: ListedTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const judged = { annotations, description, inputSchema, name, outputSchema, title };
  return createHash("sha256").update(canonical(judged)).digest("hex");
}

/** JSON text with sorted keys, so that a server may say the same in another order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}
