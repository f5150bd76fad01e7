// Refuses what means nothing where servers are registered: a misspelt setting would be a rule that does not hold. Knows no server.

import { HoneyguideError } from "honeyguide";
import { nearest } from "./nearest.js";
import type { McpServerAddress, McpServerSettings, ToolTerms } from "./options.js";

const settingNames = namesOf<McpServerSettings & McpServerAddress>({
  ...{ description: 1, timeoutMs: 1, maximumMs: 1, connectTimeoutMs: 1, settleMs: 1, tools: 1, approval: 1 },
  ...{ onChange: 1, digests: 1, backoff: 1, onDiagnostic: 1, onStatus: 1, onProgress: 1, sdk: 1 },
  ...{ clientOptions: 1, clock: 1, transport: 1, command: 1, args: 1, env: 1, cwd: 1, url: 1, headers: 1 },
  ...{ authProvider: 1, fetch: 1 },
});
const termNames = namesOf<ToolTerms>({ timeoutMs: 1, maximumMs: 1, requiresApproval: 1 });
const approvals = ["destructive", "writes", "none"];
const policies = ["allow", "warn", "quarantine"];

/** All names of a type, of which the compiler sees that none is missing. */
function namesOf<T>(names: Record<keyof T, 1>): string[] {
  return Object.keys(names);
}

/** Throws when something of a server's settings means nothing. */
export function checkSettings(settings: object): void {
  checkNames("the settings of a server", settings, settingNames);
  const { approval, onChange, tools = {} } = settings as McpServerSettings;
  if (approval !== undefined && typeof approval !== "function") checkWord("approval", approval, approvals);
  if (onChange !== undefined) checkWord("onChange", onChange, policies);
  if (!isObject(tools)) throw refused("`tools` is no object of what holds for each tool", "tools");
  for (const [tool, terms] of Object.entries(tools)) {
    const place = `\`tools\` of \`${tool}\``;
    if (!isObject(terms)) throw refused(`${place} is no object`, tool);
    checkNames(place, terms, termNames);
    const { requiresApproval, ...times } = terms;
    if (requiresApproval !== undefined && typeof requiresApproval !== "boolean")
      throw refused(`${place}: \`requiresApproval\` is neither true nor false`, tool);
    for (const [name, time] of Object.entries(times)) {
      if (time !== undefined && !(typeof time === "number" && time > 0))
        throw refused(`${place}: \`${name}\` is no number of milliseconds`, tool);
    }
  }
}

/** The servers of a configuration; throws when it is not one. */
export function serversOf(config: unknown): Record<string, unknown> {
  if (typeof (config as { then?: unknown } | undefined)?.then === "function")
    throw refused("the configuration is a promise: await it first", "config");
  if (!isObject(config))
    throw refused(
      "the configuration is no object; pass what its file holds, parsed, not its text or path",
      "config",
    );
  const servers = config.mcpServers ?? config.servers;
  if (!isObject(servers))
    throw refused(
      "the configuration names no servers; pass an object with `mcpServers` (or `servers`)",
      "config",
    );
  return servers;
}

/** Throws when a name among these is not known. */
export function checkNames(what: string, given: object, known: readonly string[]): void {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const unknown = said.map(([name]) => name).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw refused(`${what}: \`${unknown}\` means nothing; ${meant(unknown, known)}`, unknown);
}

function checkWord(name: string, value: unknown, known: readonly string[]): void {
  if (!known.includes(value as string))
    throw refused(`\`${name}\` is ${JSON.stringify(value)}; ${meant(String(value), known)}`, name);
}

function meant(written: string, known: readonly string[]): string {
  const small = nearest(
    written.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  );
  const near = known.find((name) => name.toLowerCase() === small);
  return near === undefined ? `known: ${known.join(", ")}` : `did you mean \`${near}\`?`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string, name: string): HoneyguideError {
  return new HoneyguideError({
    code: "invalid_request",
    message,
    category: "invalid_input",
    details: { name },
  });
}
