// What becomes of each server that was found: which are taken, under which names. Reads and writes nothing.

import type { McpServerConfig } from "../../config.js";
import { canonical, faultOfName } from "../../definition.js";
import type { Found } from "./read.js";

/** What happens to one. */
export interface Planned extends Found {
  readonly action: "take" | "rename" | "same" | "leave";
  /** Under which name it stands in the configuration. */
  readonly as?: string;
}

/** Plans, in the order of what was found, beside what stands in the configuration already. */
export function plan(
  found: readonly Found[],
  present: Readonly<Record<string, unknown>>,
): { planned: Planned[]; added: Record<string, McpServerConfig> } {
  const taken = new Map<string, string>(
    Object.entries(present).map(([name, entry]) => [name, sameness(entry)] as const),
  );
  const added = new Map<string, McpServerConfig>();
  const planned = found.map((one): Planned => {
    if (!one.entry) return { ...one, action: "leave" };
    const whole = sameness(one.entry);
    const twin = [...taken].find(([, other]) => other === whole)?.[0];
    if (twin !== undefined) return { ...one, action: "same", as: twin, why: "it is there already" };
    const proper = properName(one.name);
    const as = freeName(proper, taken);
    taken.set(as, whole);
    added.set(as, one.entry);
    if (as === one.name) return { ...one, action: "take", as };
    const why = as === proper ? "a server's name holds no `__` and ends with no `_`" : "the name is taken";
    return { ...one, action: "rename", as, why };
  });
  return { planned, added: Object.fromEntries(added) };
}

/** Two entries are the same server when they start or reach the same in the same way. */
function sameness(entry: unknown): string {
  const { command, args = [], env = {}, cwd, url, headers = {} } = (entry ?? {}) as McpServerConfig;
  return canonical({ command, args, env, cwd, url, headers });
}

function properName(name: string): string {
  if (faultOfName(name) === undefined) return name;
  return name.replace(/__+/g, "_").replace(/_+$/, "") || "server";
}

function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  return free;
}
