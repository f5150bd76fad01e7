// Reads what the clients have: each entry as it would stand in a configuration, or why it cannot. Writes nothing.

import { parse, TomlError } from "smol-toml";
import { known, type McpServerConfig, misshapen } from "../../config.js";
import type { Whereabouts } from "../configuration.js";
import { type FileFault, isObject, parseJson, readText } from "../json-file.js";
import { type ClientFile, type ClientName, clientFiles } from "./clients.js";

/** One server of a client. */
export interface Found {
  readonly client: ClientName;
  readonly path: string;
  readonly name: string;
  /** As it would be written; absent when it cannot be taken. */
  readonly entry?: McpServerConfig;
  /** Why it cannot. */
  readonly why?: string;
}

/** A file that could not be read. */
export interface BrokenFile extends FileFault {
  readonly client: ClientName;
  readonly path: string;
}

/** Reads the files of some clients, each once. */
export function readClients(
  here: Whereabouts,
  clients: readonly string[],
): { found: Found[]; broken: BrokenFile[]; looked: string[] } {
  const files = clientFiles(here).filter(({ client }) => clients.length === 0 || clients.includes(client));
  const read = new Map<string, { value?: unknown }>();
  const broken: BrokenFile[] = [];
  for (const file of files) {
    if (read.has(file.path)) continue;
    const one = readFile(file);
    if ("fault" in one) broken.push({ client: file.client, path: file.path, ...one.fault });
    read.set(file.path, "fault" in one ? {} : one);
  }
  const found = files.flatMap((file) => {
    const servers = file.keys.reduce<unknown>(inside, read.get(file.path)?.value);
    if (!isObject(servers)) return [];
    const refused = refusedNames(file, read);
    return Object.entries(servers).map(([name, written]): Found => {
      const about = { client: file.client, path: file.path, name };
      if (refused.has(name)) return { ...about, why: "it is disabled" };
      return { ...about, ...taken(file.client, written, here) };
    });
  });
  return { found, broken, looked: [...read.keys()] };
}

/** The servers that a person refused in their client. */
function refusedNames({ refused }: ClientFile, read: ReadonlyMap<string, { value?: unknown }>): Set<unknown> {
  const lists =
    refused?.keys.map((keys) => keys.reduce<unknown>(inside, read.get(refused.path)?.value)) ?? [];
  return new Set(lists.filter(Array.isArray).flat());
}

function readFile({ path, kind }: ClientFile): { value?: unknown } | { fault: FileFault } {
  const read = readText(path);
  if ("fault" in read) return read.fault.message === "there is no such file" ? {} : read;
  const parsed = kind === "json" ? parseJson(read.text) : parseToml(read.text);
  if ("fault" in parsed) return parsed;
  return isObject(parsed.value) ? parsed : { fault: { message: "it is no object" } };
}

function parseToml(text: string): { value: unknown } | { fault: FileFault } {
  try {
    return { value: parse(text) };
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [why = ""] = thrown.message.split("\n");
    const message = `it is no TOML: ${why.replace("Invalid TOML document: ", "")}`;
    return { fault: { message, line: thrown.line, column: thrown.column } };
  }
}

function inside(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** An entry in the words of a configuration, or why there is none. */
function taken(
  client: ClientName,
  written: unknown,
  here: Whereabouts,
): { entry: McpServerConfig } | { why: string } {
  if (!isObject(written)) return { why: "its configuration is not an object" };
  if (written["disabled"] === true || written["enabled"] === false) return { why: "it is disabled" };
  const { command, args, env, cwd, type } = written;
  const url = written["url"] ?? written["serverUrl"];
  if (command === undefined && url === undefined) return { why: "it has no `command` and no `url`" };
  if (type !== undefined && !known.has(String(type)))
    return { why: `its type \`${String(type)}\` is not known` };
  const own = client === "codex" ? codexFields(written) : { headers: written["headers"], env };
  const fields = { command, args, cwd, url, ...own };
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && !isEmpty(value));
  const entry = replaced(Object.fromEntries(said), here);
  if (isHoneyguide(entry)) return { why: "it is honeyguide itself" };
  const wrong = misshapen(entry);
  if (wrong) return { why: wrong };
  const theirs = referenceOfClient(entry, "");
  if (theirs)
    return {
      why: `it has \`${theirs.reference}\` in ${theirs.field}, which only ${titles[client]} fills in`,
    };
  return { entry };
}

const titles: Readonly<Record<ClientName, string>> = {
  "claude-code": "Claude Code",
  "claude-desktop": "Claude Desktop",
  cursor: "Cursor",
  vscode: "VS Code",
  codex: "Codex",
  windsurf: "Windsurf",
};

/** Codex names variables in fields of their own. */
function codexFields(written: Record<string, unknown>): { env: unknown; headers: unknown } {
  const variables = Array.isArray(written["env_vars"]) ? written["env_vars"].map(String) : [];
  const inherited = Object.fromEntries(variables.map((name) => [name, `\${${name}}`]));
  const byVariable = isObject(written["env_http_headers"]) ? written["env_http_headers"] : {};
  const looked = Object.entries(byVariable).map(([name, variable]) => [name, `\${${String(variable)}}`]);
  const bearer = written["bearer_token_env_var"];
  return {
    env: { ...(isObject(written["env"]) && written["env"]), ...inherited },
    headers: {
      ...(isObject(written["http_headers"]) && written["http_headers"]),
      ...Object.fromEntries(looked),
      ...(typeof bearer === "string" && { Authorization: `Bearer \${${bearer}}` }),
    },
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** What an editor would fill in for its folder and its user is known here. */
function replaced<Value>(value: Value, { cwd, home }: Whereabouts): Value {
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") {
      return part.replace(/\$\{(workspaceFolder|userHome)\}/g, (_, what) =>
        what === "userHome" ? home : cwd,
      );
    }
    if (Array.isArray(part)) return part.map(walk);
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, field]) => [key, walk(field)]));
  };
  return walk(value) as Value;
}

/** A reference that only its client can resolve, such as `${input:key}`. */
function referenceOfClient(value: unknown, field: string): { reference: string; field: string } | undefined {
  if (typeof value === "string") {
    const [reference] = /\$\{(?!env:)[^}:]*:(?!-)[^}]*\}/.exec(value) ?? [];
    return reference === undefined ? undefined : { reference, field };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${field}[${key}]` : field === "" ? key : `${field}.${key}`;
    const found = referenceOfClient(part, place);
    if (found) return found;
  }
  return undefined;
}

/** A gateway behind a gateway would hide the same servers twice. */
function isHoneyguide({ command, args = [] }: McpServerConfig): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  return words.some((word) =>
    /(^|[/\\])(@honeyguide\/mcp|honeyguide(-mcp)?)(\.(cmd|exe|js|mjs))?(@[^/\\]*|\[.*)?$/.test(word),
  );
}
