// `honeyguide mcp import`: shows what the clients have, and adds it to a configuration when asked to. Decides nothing itself.

import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { nearest } from "../../nearest.js";
import type { Whereabouts } from "../configuration.js";
import { UsageError } from "../fault.js";
import { at } from "../json-file.js";
import { table } from "../table.js";
import { clientFiles, clientNames } from "./clients.js";
import { maskAddress, maskArguments } from "./mask.js";
import { type Planned, plan } from "./plan.js";
import { type BrokenFile, readClients } from "./read.js";
import { readTarget, writeTarget } from "./write.js";

/** What is asked for. */
export interface ImportRequest {
  /** Which clients; all when empty. */
  readonly clients: readonly string[];
  readonly to?: string;
  readonly write: boolean;
  readonly json: boolean;
}

/** Does it; answers the code to end with. */
export async function importServers(
  here: Whereabouts,
  { clients, to = "honeyguide.mcp.json", write, json }: ImportRequest,
): Promise<number> {
  for (const client of clients) checkClient(client);
  const path = to.startsWith("~/") ? join(here.home, to.slice(2)) : resolve(here.cwd, to);
  if (clientFiles(here).some((file) => file.path === path)) {
    throw new UsageError(`${to}: it is a client's own file, which is never changed; choose another one`);
  }
  const target = readTarget(path, to);
  const { found, broken, looked } = readClients(here, clients);
  const { planned, added } = plan(found, target.servers);
  const count = Object.keys(added).length;
  const written = write && count > 0;
  const backup = written ? writeTarget(target, added, new Date()) : undefined;
  const entry = { command: "npx", args: ["-y", "honeyguide", "mcp", "--config", path] };
  if (json) {
    const servers = planned.map((one) => shown(one, here));
    const faults = broken.map(({ path: file, ...fault }) => ({ ...fault, file: short(file, here) }));
    const report = { target: path, written, backup: backup ?? null, faults, servers, entry };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return 0;
  }
  process.stdout.write(tableOf(planned, broken, looked, here));
  process.stdout.write(`\n${outcomeOf(count, planned.length, to, written, backup && short(backup, here))}\n`);
  if (written) {
    const said = JSON.stringify({ mcpServers: { honeyguide: entry } }, null, 2);
    process.stdout.write(
      `\nPut this into your clients, in place of the servers that it now serves:\n${said}\n`,
    );
  }
  return 0;
}

function checkClient(client: string): void {
  if ((clientNames as readonly string[]).includes(client)) return;
  const near = nearest(client, clientNames);
  const hint = near === undefined ? `known: ${clientNames.join(", ")}` : `did you mean \`${near}\`?`;
  throw new UsageError(`unknown client \`${client}\`; ${hint}`);
}

/** One server as a person may see it. */
function shown({ client, path, name, entry, action, as, why }: Planned, here: Whereabouts) {
  return {
    client,
    file: short(path, here),
    server: name,
    action,
    ...(as !== undefined && { as }),
    ...(why !== undefined && { why }),
    ...(entry && { how: howOf(entry.command, entry.args, entry.url) }),
    ...(entry?.env && { environment: Object.keys(entry.env) }),
    ...(entry?.headers && { headers: Object.keys(entry.headers) }),
  };
}

function howOf(command: unknown, args: unknown, url: unknown): string {
  if (url !== undefined) return maskAddress(String(url));
  const written = Array.isArray(args) ? args.map(String) : [];
  return [String(command), ...maskArguments(written)].join(" ");
}

function tableOf(
  planned: readonly Planned[],
  broken: readonly BrokenFile[],
  looked: readonly string[],
  here: Whereabouts,
): string {
  if (planned.length === 0 && broken.length === 0) {
    const places = looked.map((path) => `  ${short(path, here)}\n`).join("");
    return `no client of this machine has a server; these files were looked for:\n${places}`;
  }
  const rows = planned.map((one) => {
    const { client, file, server, how = "", environment, action, as, why } = shown(one, here);
    const names = environment ? ` (env: ${environment.join(", ")})` : "";
    const name = as !== undefined && action !== "take" ? ` as \`${as}\`` : "";
    const verb = action === "rename" ? "take" : action;
    return [client, file, server, how + names, verb + name + (why === undefined ? "" : `: ${why}`)];
  });
  const faults = broken.map((fault) => [
    fault.client,
    at(short(fault.path, here), fault),
    "",
    "",
    fault.message,
  ]);
  return table(["client", "file", "server", "how", "what happens"], [...rows, ...faults]);
}

function outcomeOf(
  count: number,
  all: number,
  to: string,
  written: boolean,
  backup: string | undefined,
): string {
  const servers = `${count} ${count === 1 ? "server" : "servers"}`;
  if (written)
    return `Wrote ${servers} to ${to}.${backup === undefined ? "" : ` What was there is kept as ${backup}.`}`;
  if (count > 0) return `Nothing was written; --yes writes ${servers} to ${to}.`;
  return all === 0 ? "Nothing to write." : `Nothing to write: ${to} has them all.`;
}

/** A path as a person would write it here. */
function short(path: string, { cwd, home }: Whereabouts): string {
  const within = relative(cwd, path);
  if (within !== "" && !within.startsWith("..") && !isAbsolute(within)) return within;
  const below = relative(home, path);
  const isBelow = below !== "" && !below.startsWith("..") && !isAbsolute(below);
  return isBelow ? `~${sep}${below}` : path;
}
