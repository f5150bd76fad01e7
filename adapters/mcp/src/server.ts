// One MCP server behind a catalog: connected, dialled again when it is lost, its tools kept in step. Decides when; how to speak
// is the connection's, what stands in the catalog the shelf's.

import type { Honeyguide } from "honeyguide";
import { delayAfter } from "./backoff.js";
import { Connection } from "./connection.js";
import { isRepeatable, type ListedTool } from "./definition.js";
import type { Dial } from "./dial.js";
import { describe, type FaultKind, kindOf, McpServerError, numberOf } from "./fault.js";
import { Journal } from "./journal.js";
import { listAll } from "./listing.js";
import { type FilledSettings, type McpDiagnostic, termsOf } from "./options.js";
import { untilAborted } from "./patience.js";
import type { Redact } from "./redact.js";
import type { McpSdk } from "./sdk.js";
import { type Call, type RunTool, Shelf } from "./shelf.js";
import { StdioTransport } from "./stdio.js";

/**
 * Where a server stands. `needs_auth` and `failed` stay until `refresh` is called: dialling again helps against neither.
 */
export type McpServerState = "connecting" | "ready" | "waiting" | "needs_auth" | "failed" | "closed";

/** What is known of a server now. */
export interface McpServerStatus {
  readonly state: McpServerState;
  /** How many tools stand in the catalog. */
  readonly tools: number;
  /** The tools that are held back, by their names on the server. */
  readonly quarantined: readonly string[];
  /** How many attempts failed in a row, with those whose connection broke soon after it stood. */
  readonly failures: number;
  /** Why it is not ready, or was not. */
  readonly error?: string;
}

export class RunningServer {
  readonly #shelf: Shelf;
  readonly #journal: Journal;
  /** Connections that are being ended. */
  readonly #ending = new Set<Promise<unknown>>();
  #state: McpServerState = "connecting";
  #connection: Connection | undefined;
  #connecting: Promise<void> | undefined;
  #listing: Promise<void> | undefined;
  #listAgain = false;
  #settling: (() => void) | undefined;
  #waiting: (() => void) | undefined;
  #failures = 0;
  #readySince = 0;
  #error: string | undefined;
  #instructions: string | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly hg: Honeyguide,
    readonly name: string,
    private readonly dial: Dial,
    private readonly sdk: () => Promise<McpSdk>,
    private readonly settings: FilledSettings,
    redact: Redact,
  ) {
    const run: RunTool = (tool, args, call) => this.#call(tool, args, call);
    this.#journal = new Journal(name, settings.onDiagnostic, redact);
    this.#shelf = new Shelf(hg, name, settings, run, (diagnostic) => this.#journal.tell(diagnostic));
    this.#announce();
  }

  get status(): McpServerStatus {
    return {
      state: this.#state,
      tools: this.#shelf.names.length,
      quarantined: this.#shelf.held,
      failures: this.#failures,
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }

  /** How to use the server, in its own words. */
  get serverInstructions(): string | undefined {
    return this.#instructions;
  }

  get diagnostics(): McpDiagnostic[] {
    return this.#journal.diagnostics;
  }

  get digests(): Record<string, string> {
    return this.#shelf.digests;
  }

  accept(names?: string | readonly string[]): string[] {
    return this.#shelf.accept(names);
  }

  /** Connects when there is no connection, whatever the state; lists the tools anew when there is one. */
  async refresh(): Promise<void> {
    // It may have begun before what the caller knows of happened.
    await this.#listing?.catch(() => undefined);
    if (this.#state === "closed") throw this.#unavailable();
    if (this.#state !== "ready") return this.connect();
    await this.#list(this.#connection as Connection);
  }

  /** Ends the connection and takes the server's tools out of the catalog. */
  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#closing.abort(this.#unavailable());
    this.#waiting?.();
    this.#settling?.();
    this.#shelf.clear();
    this.hg.servers.remove(this.name);
    const connection = this.#connection;
    this.#connection = undefined;
    this.#end(connection);
    await this.#connecting?.catch(() => undefined);
    await Promise.all(this.#ending);
  }

  #end(what: { close(): Promise<void> } | undefined): void {
    if (!what) return;
    const ended = what
      .close()
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Dials, once for all who ask. Throws what went wrong; by then the next attempt is planned, if one makes sense. */
  connect(): Promise<void> {
    this.#waiting?.();
    this.#waiting = undefined;
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    this.#state = "connecting";
    this.#announce();
    let connection: Connection | undefined;
    let transport: Awaited<ReturnType<Dial>> | undefined;
    try {
      const [sdk, dialled] = await Promise.all([this.sdk(), this.dial()]);
      transport = dialled;
      const opened: { connection?: Connection } = {};
      const { clock, clientOptions, connectTimeoutMs } = this.settings;
      connection = await Connection.open({
        server: this.name,
        sdk,
        transport,
        clock,
        clientOptions,
        connectTimeoutMs,
        closing: this.#closing.signal,
        onListChanged: () => this.#listSoon(),
        onLost: () => this.#lost(opened.connection, new Error("the connection ended")),
        onError: (error) => this.#journal.complain(error),
      });
      opened.connection = connection;
      if (this.#isClosed()) throw this.#unavailable();
      this.#instructions = connection.instructions;
      this.#connection = connection;
      await this.#list(connection);
      if (this.#isClosed() || this.#connection !== connection) throw this.#unavailable();
    } catch (thrown) {
      if (this.#connection === connection) this.#connection = undefined;
      // Nobody waits for its end, not even the next attempt: a server that does not want to end takes its time.
      const fault = await this.#connectFault(thrown, transport);
      this.#end(connection ?? transport);
      throw fault;
    }
    this.#state = "ready";
    this.#error = undefined;
    this.#readySince = this.settings.clock.now();
    this.#announce();
    if (this.#listAgain) this.#listSoon();
  }

  /** Notes why there is no connection, and plans the next attempt where one can help. */
  async #connectFault(thrown: unknown, transport: unknown): Promise<McpServerError> {
    const stdio = transport instanceof StdioTransport ? transport : undefined;
    let kind = kindOf(thrown);
    if (kind === "lost" && (await stdio?.lastWords())?.unusable) kind = "unusable";
    const complaint = stdio?.complaints.trim();
    const message = this.#journal.wordsOf(thrown, complaint ? `; it said: ${complaint}` : "");
    if (this.#state !== "closed") {
      this.#error = message;
      this.#failures++;
      this.#down(kind, message);
    }
    return new McpServerError(
      message,
      kind,
      { server: this.name },
      { cause: this.#journal.harmless(thrown) },
    );
  }

  #down(kind: FaultKind, message: string): void {
    if (kind === "needs_auth") {
      this.#state = "needs_auth";
      this.#journal.tell({
        code: "needs_auth",
        message: `${message}; call refresh() with other credentials in place`,
      });
    } else if (kind === "unusable" || !this.dial.again) {
      this.#state = "failed";
      this.#journal.tell({ code: "failed", message });
    } else {
      this.#state = "waiting";
      this.#journal.tell({ code: "connection_failed", message });
      this.#plan();
    }
    this.#announce();
  }

  /** Dials again after a while. */
  #plan(): void {
    const { clock, backoff } = this.settings;
    const delay = delayAfter(Math.max(0, this.#failures - 1), backoff, clock);
    this.#waiting = clock.after(delay, () => {
      this.connect().catch(() => undefined);
    });
  }

  /** The connection broke; whoever notices first says so, and the others find another one or none. */
  #lost(connection: Connection | undefined, thrown: unknown): void {
    if (connection === undefined || connection !== this.#connection) return;
    this.#connection = undefined;
    if (this.#isClosed()) return;
    // While it is still being made, who makes it hears of it.
    if (this.#state !== "ready") return;
    const { clock, backoff } = this.settings;
    const lived = clock.now() - this.#readySince;
    // One that breaks as soon as it stands is no success: the delays go on growing.
    this.#failures = lived >= backoff.healthyMs ? 0 : this.#failures;
    const message = this.#journal.redact(`server \`${this.name}\` was lost: ${describe(thrown).message}`);
    this.#error = message;
    this.#journal.tell({ code: "connection_lost", message });
    if (this.dial.again) {
      this.#state = "waiting";
      this.#failures++;
      this.#plan();
    } else {
      this.#state = "failed";
    }
    this.#announce();
    this.#end(connection);
  }

  async #call(tool: ListedTool, args: unknown, call: Call): Promise<unknown> {
    const { signal } = call;
    const began = this.settings.clock.now();
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#usable(signal);
      try {
        return await connection.call(tool.name, args, tool, this.#limitsOf(tool, call));
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        const kind = kindOf(thrown);
        if (kind === "lost") this.#lost(connection, thrown);
        if (kind === "needs_auth") this.#refuseCredentials(connection, thrown);
        if (kind !== "lost" || attempt > 1 || !isRepeatable(tool)) {
          // Nobody waits for it, but the next call should find a connection.
          if (kind === "lost") this.#usable(undefined).catch(() => undefined);
          throw this.#callFault(thrown, kind, tool, began);
        }
      }
    }
  }

  #limitsOf(tool: ListedTool, { signal, context }: Call) {
    const { timeoutMs, maximumMs, onProgress } = this.settings;
    const terms = termsOf(this.settings, tool.name);
    return {
      silenceMs: terms?.timeoutMs ?? timeoutMs,
      maximumMs: terms?.maximumMs ?? maximumMs,
      signal,
      onProgress: (progress: unknown) =>
        onProgress?.(progress, { server: this.name, tool: tool.name, context }),
    };
  }

  /** A connection, or the reason why there is none. Dials when that was not tried since the last one broke. */
  async #usable(signal: AbortSignal | undefined): Promise<Connection> {
    const mayDial = this.#state === "waiting" && this.#failures <= 1;
    if (this.#connecting || mayDial) {
      await untilAborted(this.connect(), signal).catch((thrown) => {
        if (signal?.aborted || thrown instanceof McpServerError) throw thrown;
        throw this.#unavailable();
      });
    }
    if (this.#connection === undefined) throw this.#unavailable();
    return this.#connection;
  }

  /** One 401 is enough: what was refused now will be refused again. */
  #refuseCredentials(connection: Connection, thrown: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    this.#error = this.#journal.redact(
      `server \`${this.name}\` refused the credentials: ${describe(thrown).message}`,
    );
    this.#down("needs_auth", this.#error);
    // Those who asked over it before have their own answers to come.
    this.#end({ close: () => connection.retire() });
  }

  #callFault(thrown: unknown, kind: FaultKind, { name: tool }: ListedTool, began: number): McpServerError {
    if (thrown instanceof McpServerError && thrown.kind === "timeout") return thrown;
    const words: Partial<Record<FaultKind, string>> = {
      lost: "was lost during the call, and nobody knows whether it happened",
      needs_auth: "refused the credentials",
      rate_limited: "asks to be called less often; try again later",
      unavailable: `cannot be called now: ${describe(thrown).message}`,
    };
    const said = words[kind] ?? `refused the call: ${describe(thrown).message}`;
    const code = numberOf(thrown);
    const details = {
      server: this.name,
      tool,
      elapsedMs: Math.round(this.settings.clock.now() - began),
      retryable: kind === "lost" || kind === "rate_limited" || kind === "unavailable",
      ...(code !== undefined && { code }),
    };
    const message = this.#journal.redact(`\`${tool}\`: server \`${this.name}\` ${said}`);
    return new McpServerError(message, kind, details, { cause: this.#journal.harmless(thrown) });
  }

  #unavailable(): McpServerError {
    const why = this.#error === undefined ? "" : ` (${this.#error})`;
    const kind = this.#state === "needs_auth" ? "needs_auth" : "unavailable";
    const message = `server \`${this.name}\` is not available now: ${this.#state}${why}`;
    return new McpServerError(message, kind, { server: this.name, retryable: this.#state === "waiting" });
  }

  /** Lists the tools soon: many notices in a row are one. */
  #listSoon(): void {
    if (this.#state !== "ready" || this.#listing) {
      this.#listAgain = true;
      return;
    }
    this.#settling ??= this.settings.clock.after(this.settings.settleMs, () => {
      this.#settling = undefined;
      const connection = this.#connection;
      if (!connection) return;
      this.#list(connection).catch((thrown) => {
        if (kindOf(thrown) === "lost") this.#lost(connection, thrown);
        const message = `the tools of server \`${this.name}\` stay as they were: ${describe(thrown).message}`;
        this.#journal.tell({ code: "listing_failed", message });
      });
    });
  }

  /** Lists the tools, one listing at a time. */
  #list(connection: Connection): Promise<void> {
    this.#listing ??= this.#readAll(connection).finally(() => {
      this.#listing = undefined;
      if (this.#listAgain && this.#state === "ready") this.#listSoon();
    });
    return this.#listing;
  }

  async #readAll(connection: Connection): Promise<void> {
    this.#listAgain = false;
    const { timeoutMs: silenceMs, maximumMs } = this.settings;
    const limits = { silenceMs, maximumMs };
    const listing = await listAll(this.name, (cursor) => connection.list(cursor, limits));
    // Listed by a connection that is gone, it may be older than what another one listed.
    if (connection === this.#connection && !this.#isClosed()) this.#shelf.stock(listing);
  }

  /** Tells the catalog, and so the model, how the server does. */
  #announce(): void {
    if (this.#state === "closed") return;
    const status = this.#state === "ready" ? "ready" : this.#neverReady ? "pending" : "unavailable";
    const { title, description } = this.#connection?.about ?? {};
    this.hg.servers.set(this.name, {
      description: this.settings.description ?? description ?? title ?? null,
      instructions: this.#instructions ?? null,
      status,
    });
    this.settings.onStatus?.(this.status, this.name);
  }

  /** Whether nothing is known of it yet, so that a search should say that more may come. */
  get #neverReady(): boolean {
    return this.#state === "connecting" && this.#failures === 0 && this.#shelf.names.length === 0;
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }
}
