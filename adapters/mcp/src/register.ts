// Registers one MCP server. Knows who is registered already; everything else is the running server's.

import type { Honeyguide } from "honeyguide";
import { checkSettings } from "./checked.js";
import { faultOfName } from "./definition.js";
import { dialOf } from "./dial.js";
import { McpServerError } from "./fault.js";
import {
  type McpDiagnostic,
  type McpServerAddress,
  type McpServerSettings,
  withDefaults,
} from "./options.js";
import { passwordOf, redactor } from "./redact.js";
import { installedSdk, type McpSdk } from "./sdk.js";
import { type McpServerStatus, RunningServer } from "./server.js";

/** A server to register: its name, how it is reached, and how it is dealt with. */
export type McpServerOptions = { readonly name: string } & McpServerAddress & McpServerSettings;

/** A registered server. */
export interface McpServerHandle {
  readonly name: string;
  /** Where it stands now. */
  readonly status: McpServerStatus;
  /** How to use it, in its own words. */
  readonly serverInstructions: string | undefined;
  /** What was worth knowing of late. */
  readonly diagnostics: McpDiagnostic[];
  /** What each tool's definition was when first seen, or accepted: for `digests` of the next run. */
  readonly digests: Record<string, string>;
  /** Lists the tools anew; dials first when there is no connection, also one that was given up. */
  refresh(): Promise<void>;
  /** Takes tools that are held back since their definition changed: all, or those that are named. Answers which. */
  accept(tools?: string | readonly string[]): string[];
  /** Ends the connection and takes the tools out of the catalog. */
  close(): Promise<void>;
}

/**
 * Connects to a server, lists its tools and puts them into the catalog as `<server>__<tool>`. Throws when that fails; once it
 * has succeeded, a lost server is dialled again by itself.
 */
export async function registerMcpServer(hg: Honeyguide, options: McpServerOptions): Promise<McpServerHandle> {
  const server = startServer(hg, options);
  try {
    await server.connect();
  } catch (thrown) {
    await server.close();
    throw thrown;
  }
  return server;
}

const registered = new WeakMap<Honeyguide, Map<string, RunningServer>>();

/** Makes a server that has not been dialled yet. `secrets` stay out of all it says. */
export function startServer(
  hg: Honeyguide,
  { name, ...options }: McpServerOptions,
  secrets: readonly string[] = [],
): RunningServer {
  const fault = faultOfName(name);
  if (fault !== undefined) throw new McpServerError(fault, "unusable", { server: String(name) });
  checkSettings(options);
  const servers = registered.get(hg) ?? new Map<string, RunningServer>();
  registered.set(hg, servers);
  const present = servers.get(name);
  if (present && present.status.state !== "closed") {
    const message = `server \`${name}\` is registered already; close it first, or choose another name`;
    throw new McpServerError(message, "unusable", { server: name });
  }
  let loaded: Promise<McpSdk> | undefined;
  const sdk = () => {
    loaded ??= options.sdk ? Promise.resolve(options.sdk) : installedSdk();
    return loaded;
  };
  const addresses = [String(options.url ?? ""), ...(options.args ?? [])].flatMap(passwordOf);
  const declared = [...Object.values(options.headers ?? {}), ...Object.values(options.env ?? {})];
  const hidden = [...secrets, ...declared, ...addresses];
  const dial = dialOf(name, options, sdk);
  const server = new RunningServer(hg, name, dial, sdk, withDefaults(options), redactor(hidden));
  servers.set(name, server);
  return server;
}
