// Registers the servers of a configuration as Claude Code, Cursor and VS Code write it. Reads no file, and writes nothing back.

import type { Honeyguide } from "honeyguide";
import { checkNames, checkSettings, serversOf } from "./checked.js";
import { expand } from "./expand.js";
import { McpServerError } from "./fault.js";
import type { McpServerSettings } from "./options.js";
import { type McpServerHandle, startServer } from "./register.js";
import type { RunningServer } from "./server.js";

/** One server of a configuration. */
export interface McpServerConfig {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly disabled?: boolean;
  /** How a person signs in, as some clients write it: `clientId`, `clientSecret`, `callbackPort`, `scopes`. */
  readonly oauth?: unknown;
  readonly [other: string]: unknown;
}

/** A configuration; VS Code says `servers` for `mcpServers`. */
export interface McpConfig {
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  readonly servers?: Readonly<Record<string, McpServerConfig>>;
  readonly [other: string]: unknown;
}

/** How all servers of a configuration are dealt with. */
export interface McpServersOptions extends McpServerSettings {
  /** What variables stand for (default: the environment). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The longest wait for slow servers, in milliseconds (default 10,000); they go on, and their tools come when they are ready. */
  readonly waitMs?: number;
  /** Gives the credentials (`authProvider`) of a server that has an address and no `Authorization` header of its own. */
  readonly credentials?: ((server: { readonly name: string; readonly url: string }) => unknown) | undefined;
  /** What holds for single servers, by name, before what holds for all. */
  readonly each?: Readonly<Record<string, McpServerSettings>>;
}

/** The servers of a configuration. */
export interface McpServers {
  /** Each that could be tried, by name. */
  readonly servers: Readonly<Record<string, McpServerHandle>>;
  /** Why others could not, by name. */
  readonly errors: Readonly<Record<string, McpServerError>>;
  /** Waits until each server has answered or failed once. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Registers all servers side by side. None waits for another or fails with it, and a failure is no exception. */
export async function registerMcpServers(
  hg: Honeyguide,
  config: McpConfig,
  { environment = process.env, waitMs = 10_000, each = {}, credentials, ...settings }: McpServersOptions = {},
): Promise<McpServers> {
  const all = serversOf(config) as Readonly<Record<string, McpServerConfig>>;
  checkSettings(settings);
  checkNames("`each`", each, Object.keys(all));
  for (const own of Object.values(each)) checkSettings(own);
  const servers = new Map<string, RunningServer>();
  const errors = new Map<string, McpServerError>();
  for (const [name, written] of Object.entries(all)) {
    if (written?.disabled === true) continue;
    try {
      servers.set(
        name,
        startWritten(hg, name, written, { ...settings, ...each[name] }, environment, credentials),
      );
    } catch (thrown) {
      if (!(thrown instanceof McpServerError)) throw thrown;
      errors.set(name, thrown);
    }
  }
  const attempts = Promise.all(
    Array.from(servers.values(), (server) => server.connect().catch(() => undefined)),
  );
  const settled = async () => void (await attempts);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    attempts.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  return {
    servers: Object.fromEntries(servers),
    errors: Object.fromEntries(errors),
    settled,
    close: async () => void (await Promise.all(Array.from(servers.values(), (server) => server.close()))),
  };
}

/** The types of servers that can be reached. */
export const known = new Set(["stdio", "http", "streamable-http", "streamableHttp"]);

function startWritten(
  hg: Honeyguide,
  name: string,
  written: McpServerConfig,
  settings: McpServerSettings,
  environment: Readonly<Record<string, string | undefined>>,
  credentials: McpServersOptions["credentials"],
): RunningServer {
  const { value: read, secrets } = readWritten(name, written, environment);
  const { oauth: _, ...value } = read;
  const isOpen = value.url !== undefined && value.command === undefined && !hasAuthorization(value.headers);
  const authProvider =
    isOpen && URL.canParse(value.url ?? "") ? credentials?.({ name, url: value.url as string }) : undefined;
  return startServer(
    hg,
    { ...settings, ...value, ...(authProvider !== undefined && { authProvider }), name },
    secrets,
  );
}

/** Whether a server is sent credentials that stand in its configuration. */
export function hasAuthorization(headers: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/** How a server is reached, with its variables expanded; throws when it cannot be tried. */
export function readWritten(
  name: string,
  written: McpServerConfig,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const refuse = (why: string) =>
    new McpServerError(`server \`${name}\`: ${why}`, "unusable", { server: name });
  if (typeof written !== "object" || written === null || Array.isArray(written))
    throw refuse("its configuration is not an object");
  const wrong = misshapen(written);
  if (wrong) throw refuse(wrong);
  const { command, args, cwd, url, type } = written;
  const [env, headers] = [textsOf(written.env), textsOf(written.headers)];
  if (type !== undefined && !known.has(type)) {
    throw refuse(
      `its type \`${type}\` is not known; known: ${[...known].join(", ")}. In a program, pass a transport to registerMcpServer`,
    );
  }
  const { value, missing, secrets } = expand(
    { command, args, env, cwd, url, headers, oauth: written.oauth },
    environment,
  );
  if (missing.length > 0) {
    const each = missing.map(({ field, variable }) => `\`${variable}\` in ${field}`);
    throw refuse(`a variable has no value: ${each.join(", ")}`);
  }
  return { value, secrets };
}

/** What is wrong with the shape of a configuration, which a person wrote. */
export function misshapen(written: McpServerConfig): string | undefined {
  const fields = written as Readonly<Record<string, unknown>>;
  for (const field of ["command", "cwd", "url"]) {
    if (fields[field] !== undefined && typeof fields[field] !== "string")
      return `its \`${field}\` is no text`;
  }
  const { args = [] } = fields;
  if (!Array.isArray(args) || !args.every((part) => typeof part === "string"))
    return "its `args` are no list of texts";
  for (const field of ["env", "headers"]) {
    const values = fields[field] ?? {};
    const isMap = typeof values === "object" && !Array.isArray(values);
    const plain =
      isMap && Object.values(values).every((value) => value === null || typeof value !== "object");
    if (!plain) return `its \`${field}\` is no object of texts`;
  }
  return undefined;
}

/** Values as texts: clients write numbers and booleans too, and null for what is not to be set. */
function textsOf(values: Readonly<Record<string, unknown>> | undefined): Record<string, string> | undefined {
  if (!values) return undefined;
  const said = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}
