// The catalog behind the gateway: servers that come and go by themselves, and folders of skills. Knows no client.

import { stat } from "node:fs/promises";
import { type Honeyguide, honeyguide, isHoneyguideError } from "honeyguide";
import { type McpServers, registerMcpServers } from "../config.js";
import { partsOf } from "../definition.js";
import type { McpDiagnostic, McpServerSettings } from "../options.js";
import type { McpServerStatus } from "../server.js";
import type { Configuration } from "./configuration.js";
import type { Log } from "./log.js";
import { ruleFor } from "./rules.js";
import { type GatewaySettings, serverOf } from "./settings.js";
import { SignIns } from "./sign-ins.js";

/** How long a call waits for servers that somebody signed in to meanwhile, in milliseconds; they come after that all the same. */
const patience = 5000;

/** What a call brings along for those who hear of its progress. */
export interface CallListener {
  onProgress(progress: unknown): void;
}

/** The catalog. */
export interface GatewayCatalog {
  readonly hg: Honeyguide;
  /** Resolves once the folders of skills were read; the servers come when they come. */
  readonly skillsRead: Promise<void>;
  /** The most characters of a result's text; 0 for all. */
  readonly maxResultChars: number;
  /** Whether nothing is served. */
  readonly isEmpty: boolean;
  /** Why a server has no tools now, for a model; undefined when it is none of ours, or is ready. */
  whyAbsent(server: string): string | undefined;
  /** Tries the servers again that somebody has signed in to since they wanted credentials. */
  noticeSignIns(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the catalog; returns before any server has answered. */
export async function openCatalog(configuration: Configuration, log: Log): Promise<GatewayCatalog> {
  for (const warning of configuration.warnings) log.warn(warning);
  const hg = honeyguide({
    ...(configuration.maxResultChars && { maxResultChars: configuration.maxResultChars }),
  });
  const names = [...configuration.servers.keys()];
  const signIns = new SignIns(configuration);
  const watch = watcher(log, signIns);
  const registered = await registerMcpServers(
    hg,
    { mcpServers: Object.fromEntries(configuration.servers) },
    {
      waitMs: 0,
      credentials: signIns.credentials,
      ...watch,
      onProgress: (progress, { context }) =>
        (context as Partial<CallListener> | undefined)?.onProgress?.(progress),
      each: Object.fromEntries(names.map((name) => [name, settingsFor(name, configuration)])),
    },
  );
  for (const { message } of Object.values(registered.errors)) log.warn(message);
  const skillsRead = readSkills(hg, configuration.skills, log);
  return {
    hg,
    skillsRead,
    maxResultChars: configuration.maxResultChars ?? 0,
    isEmpty: Object.keys(registered.servers).length === 0 && configuration.skills.length === 0,
    whyAbsent: (server) => whyAbsent(registered, server, signIns),
    noticeSignIns: () => noticeSignIns(registered, signIns),
    async close() {
      hg.skills.unwatch();
      await registered.close();
    },
  };
}

/** How one server is dealt with. */
export function settingsFor(
  server: string,
  { approval, onChange, tools }: Pick<GatewaySettings, "approval" | "onChange" | "tools">,
): McpServerSettings {
  const own = Object.entries(tools).filter(([id]) => serverOf(id) === server);
  return {
    approval: ruleFor(server, approval),
    onChange,
    tools: Object.fromEntries(own.map(([id, limits]) => [partsOf(id)?.tool ?? id, limits])),
  };
}

/** Tells of the servers; of an outage that goes on, once. */
function watcher(log: Log, signIns: SignIns): Pick<McpServerSettings, "onDiagnostic" | "onStatus"> {
  const told = new Map<string, string>();
  return {
    onDiagnostic({ server, code, message }: McpDiagnostic) {
      const text =
        code === "needs_auth" ? `server \`${server}\` needs credentials: ${signIns.hint(server)}` : message;
      if (told.get(server) === text) return;
      told.set(server, text);
      log.warn(text);
    },
    onStatus({ state, tools }: McpServerStatus, server: string) {
      if (state !== "ready") return;
      told.delete(server);
      log.detail(`server \`${server}\` is ready, with ${tools} ${tools === 1 ? "tool" : "tools"}`);
    },
  };
}

/** Tries servers again whose stored credentials are others now. Nobody hears what comes of it: the state of each says it. */
async function noticeSignIns({ servers }: McpServers, signIns: SignIns): Promise<void> {
  const waiting = Object.keys(servers).filter((name) => servers[name]?.status.state === "needs_auth");
  const tries = signIns.changed(waiting).map((name) => servers[name]?.refresh().catch(() => undefined));
  if (tries.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([Promise.all(tries), late]);
  clearTimeout(timer);
}

function whyAbsent({ servers, errors }: McpServers, server: string, signIns: SignIns): string | undefined {
  const fault = Object.hasOwn(errors, server) ? errors[server] : undefined;
  if (fault) return `${fault.message}; tell the user`;
  const status = Object.hasOwn(servers, server) ? servers[server]?.status : undefined;
  if (!status || status.state === "ready") return undefined;
  if (status.state === "needs_auth") {
    return `server \`${server}\` is not there now (needs_auth); tell the user that it needs credentials: ${signIns.hint(server)}`;
  }
  const why = status.error === undefined ? "" : `: ${status.error}`;
  const then = status.state === "failed" ? "tell the user" : "try again later, or tell the user";
  return `server \`${server}\` is not there now (${status.state})${why}; ${then}`;
}

async function readSkills(hg: Honeyguide, folders: readonly string[], log: Log): Promise<void> {
  for (const folder of folders) {
    try {
      if (!(await stat(folder)).isDirectory()) throw new Error("it is no folder");
      await load(hg, folder);
    } catch (thrown) {
      const { code, message } = thrown as Error & { code?: string };
      const why = code === "ENOENT" ? "there is no such folder" : message;
      log.warn(`skills: \`${folder}\`: ${why}`);
    }
  }
  for (const { severity, message } of hg.skills.diagnostics()) {
    if (severity === "error") log.warn(`skills: ${message}`);
    else log.detail(`skills: ${message}`);
  }
}

async function load(hg: Honeyguide, folder: string): Promise<void> {
  try {
    await hg.skills.loadFolder(folder, { watch: true, discover: false });
  } catch (thrown) {
    // Not every file system can be watched; a skill that is opened is read from its file all the same.
    if (!isHoneyguideError(thrown, "unreadable_file")) throw thrown;
    await hg.skills.loadFolder(folder, { discover: false });
  }
}
