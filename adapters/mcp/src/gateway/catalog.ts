// The catalog behind the gateway: servers that come and go by themselves, and folders of skills. Knows no client.

import { stat } from "node:fs/promises";
import { type Honeyguide, honeyguide, isHoneyguideError } from "honeyguide";
import { type McpServers, registerMcpServers } from "../config.js";
import { partsOf } from "../definition.js";
import type { McpDiagnostic, McpServerSettings } from "../options.js";
import type { McpServerStatus } from "../server.js";
import type { Configuration } from "./configuration.js";
import type { Log } from "./log.js";
import { idleRules, ruleFor } from "./rules.js";
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
  /** Why a tool is not there now, for a model: its server, or itself, is held up; undefined when neither is known to be. */
  whyAbsent(toolId: string): string | undefined;
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
  const watch = watcher(hg, log, signIns, configuration);
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
    whyAbsent: (toolId) => whyAbsent(registered, toolId, signIns),
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
function watcher(
  hg: Honeyguide,
  log: Log,
  signIns: SignIns,
  configuration: Configuration,
): Pick<McpServerSettings, "onDiagnostic" | "onStatus"> {
  const told = new Map<string, string>();
  const idle = new Set<string>();
  return {
    onDiagnostic({ server, code, message }: McpDiagnostic) {
      const text =
        code === "needs_auth"
          ? `server \`${server}\` needs credentials: ${signIns.hint(server)}`
          : code === "definition_changed" && configuration.onChange === "quarantine"
            ? `${message}; restart the gateway to take it once you have looked at it`
            : message;
      if (told.get(server) === text) return;
      told.set(server, text);
      log.warn(text);
    },
    onStatus({ state, tools }: McpServerStatus, server: string) {
      if (state !== "ready") return;
      told.delete(server);
      for (const rule of idleRules(server, hg.tools.list(), configuration)) {
        if (idle.has(rule)) continue;
        idle.add(rule);
        log.warn(rule);
      }
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

function whyAbsent({ servers, errors }: McpServers, toolId: string, signIns: SignIns): string | undefined {
  const { server, tool } = partsOf(toolId) ?? { server: toolId, tool: "" };
  const fault = Object.hasOwn(errors, server) ? errors[server] : undefined;
  if (fault) return `${fault.message}; tell the user`;
  const status = Object.hasOwn(servers, server) ? servers[server]?.status : undefined;
  if (status?.quarantined.includes(tool)) {
    return `server \`${server}\` changed the definition of \`${tool}\`, and it is held back; tell the user: a restart of the gateway takes the present definition`;
  }
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
    const fault = await faultOfFolder(folder);
    try {
      if (fault === undefined) await load(hg, folder);
      else log.warn(fault);
    } catch (thrown) {
      log.warn(`skills: \`${folder}\`: ${(thrown as Error).message}`);
    }
  }
  for (const { severity, message, file, line } of hg.skills.diagnostics()) {
    const place = file === undefined ? "" : line === undefined ? `${file}: ` : `${file}:${line}: `;
    if (severity === "error") log.warn(`skills: ${place}${message}`);
    else log.detail(`skills: ${place}${message}`);
  }
}

/** Why nothing can be read of a folder of skills, if so. */
export async function faultOfFolder(folder: string): Promise<string | undefined> {
  try {
    if ((await stat(folder)).isDirectory()) return undefined;
    return `skills: \`${folder}\`: it is no folder`;
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    return `skills: \`${folder}\`: ${code === "ENOENT" ? "there is no such folder" : message}`;
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
