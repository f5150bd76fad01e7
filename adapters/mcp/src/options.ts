// What can be said when a server is registered, and every default of it. Knows nothing of how it is done.

import { type Backoff, defaultBackoff } from "./backoff.js";
import { type Clock, systemClock } from "./clock.js";
import type { ListedTool } from "./definition.js";
import type { McpSdk, McpTransport } from "./sdk.js";
import type { McpServerStatus } from "./server.js";

/** What happens to a tool whose definition is not the one that was seen first. */
export type DriftPolicy = "allow" | "warn" | "quarantine";

/**
 * Which tools somebody is asked about before they run. `destructive`: those that say of themselves that they destroy.
 * `writes`: all but those that say that they only read. A function judges the definition as the server lists it.
 */
export type ApprovalRule = "destructive" | "writes" | "none" | ((tool: ListedTool) => boolean);

/** What holds for one tool. */
export interface ToolTerms {
  /** The longest silence, in milliseconds. */
  readonly timeoutMs?: number;
  /** The longest call, in milliseconds, whatever progress it reports. */
  readonly maximumMs?: number;
  /** Whether somebody is asked before it runs, whatever `approval` says. */
  readonly requiresApproval?: boolean;
}

/** Something to know of a server that still works. */
export interface McpDiagnostic {
  readonly server: string;
  /** What happened, in one word: `definition_changed`, `cursor_not_advancing`, `connection_lost` and so on. */
  readonly code: string;
  readonly message: string;
  /** The tool, by its name on the server. */
  readonly tool?: string;
  /** With `definition_changed`: the digest that was seen first, and the present one. */
  readonly oldDigest?: string;
  readonly newDigest?: string;
}

/** How a server is dealt with. */
export interface McpServerSettings {
  /** One line for the model (default: what the server says of itself). */
  readonly description?: string | undefined;
  /** The longest silence of a call or a listing, in milliseconds (default 60,000); progress ends it. */
  readonly timeoutMs?: number | undefined;
  /** The longest call, in milliseconds (default 600,000). */
  readonly maximumMs?: number | undefined;
  /** The longest handshake, in milliseconds (default 30,000). */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a burst of change notices may go on before the tools are listed again, in milliseconds (default 100). */
  readonly settleMs?: number | undefined;
  /** What holds for single tools, by their names on the server. */
  readonly tools?: Readonly<Record<string, ToolTerms>> | undefined;
  /** Which tools somebody is asked about before they run (default `none`); judged anew at each listing. */
  readonly approval?: ApprovalRule | undefined;
  /** What happens to a tool whose definition changes (default `warn`). */
  readonly onChange?: DriftPolicy | undefined;
  /** Digests of definitions that were seen before this run, by tool: `digests` of an earlier handle. */
  readonly digests?: Readonly<Record<string, string>> | undefined;
  /** When a server is dialled again. */
  readonly backoff?: Partial<Backoff> | undefined;
  /** Hears what is worth knowing, as it happens. */
  readonly onDiagnostic?: ((diagnostic: McpDiagnostic) => void) | undefined;
  /** Hears where the server stands, whenever that changes. */
  readonly onStatus?: ((status: McpServerStatus, server: string) => void) | undefined;
  /** Hears the progress of calls; `context` is what the caller of the very call passed. */
  readonly onProgress?: ((progress: unknown, call: ProgressingCall) => void) | undefined;
  /** The official package, or its parts (default: the one that is installed). */
  readonly sdk?: McpSdk | undefined;
  /** What the official client is made with, such as `capabilities` or `versionNegotiation`. */
  readonly clientOptions?: object | undefined;
  /** The time (default: the system's). */
  readonly clock?: Clock | undefined;
}

/** A call whose progress is told. */
export interface ProgressingCall {
  readonly server: string;
  /** By its name on the server. */
  readonly tool: string;
  readonly context: unknown;
}

/** How a server is reached: a transport, a command or an address. */
export interface McpServerAddress {
  /** A transport of the official packages, or a function that makes one; only a function can reconnect. */
  readonly transport?: McpTransport | (() => McpTransport | Promise<McpTransport>) | undefined;
  /** A program to start, which speaks over its pipes. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** The program's environment, beside `PATH` and `HOME`; nothing else of ours reaches it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** An address that speaks Streamable HTTP. */
  readonly url?: string | URL | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The official package's own provider of credentials. */
  readonly authProvider?: unknown;
  /** Fetches in place of the global one. */
  readonly fetch?: unknown;
}

/** What holds for this tool, by its name on the server: a server names tools as it likes, also like what every object has. */
export function termsOf({ tools }: Pick<FilledSettings, "tools">, tool: string): ToolTerms | undefined {
  return Object.hasOwn(tools, tool) ? tools[tool] : undefined;
}

/** The settings with every default filled in. */
export type FilledSettings = ReturnType<typeof withDefaults>;

export function withDefaults(settings: McpServerSettings) {
  return {
    ...settings,
    timeoutMs: settings.timeoutMs ?? 60_000,
    maximumMs: settings.maximumMs ?? 600_000,
    connectTimeoutMs: settings.connectTimeoutMs ?? 30_000,
    settleMs: settings.settleMs ?? 100,
    approval: settings.approval ?? "none",
    onChange: settings.onChange ?? "warn",
    tools: settings.tools ?? {},
    digests: settings.digests ?? {},
    backoff: { ...defaultBackoff, ...settings.backoff } satisfies Backoff,
    clock: settings.clock ?? systemClock,
  };
}
