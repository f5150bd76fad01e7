// One connection to a server, from its handshake to its end, through a client of the official packages. Knows no catalog and
// never dials twice.

import type { Clock } from "./clock.js";
import { McpServerError } from "./fault.js";
import { inOrder } from "./in-order.js";
import { type Limits, type Overdue, withPatience } from "./patience.js";
import { anyResult, type McpClient, type McpSdk, type McpTransport } from "./sdk.js";

/** What a connection needs. */
export interface ConnectionOptions {
  readonly server: string;
  readonly sdk: McpSdk;
  readonly transport: McpTransport;
  readonly clock: Clock;
  readonly clientOptions: object | undefined;
  readonly connectTimeoutMs: number;
  /** Ends the handshake and every listing. */
  readonly closing: AbortSignal;
  /** The server says that its tools changed. */
  onListChanged(): void;
  /** The connection ended without being asked to. */
  onLost(): void;
  /** Something that the connection survived. */
  onError(error: Error): void;
}

/** How a tool is called. */
export interface CallTerms extends Limits {
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
}

/** The time of the official client's own timers: they must not end what these limits keep alive. */
const never = 2 ** 31 - 1;
/** How long a connection that ends waits for the answers of others, in milliseconds. */
const patience = 5000;
const listChanged = "notifications/tools/list_changed";
const clientInfo = { name: "honeyguide", version: "0.1.0" };

export class Connection {
  #over = false;
  /** Requests that wait for their answers. */
  readonly #asking = new Set<Promise<unknown>>();

  private constructor(
    private readonly client: McpClient,
    private readonly options: ConnectionOptions,
  ) {}

  /** Starts the transport and shakes hands. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { sdk, transport, clock, server, connectTimeoutMs } = options;
    const client: McpClient = new sdk.Client(clientInfo, options.clientOptions);
    const connection = new Connection(client, options);
    client.onclose = () => {
      if (connection.#over) return;
      connection.#over = true;
      options.onLost();
    };
    client.onerror = options.onError;
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === listChanged) options.onListChanged();
    };
    const limits = { silenceMs: connectTimeoutMs, maximumMs: connectTimeoutMs };
    try {
      await withPatience(
        clock,
        limits,
        options.closing,
        // Without its signal: the protocol forbids to cancel a handshake, and one client does.
        () => client.connect(transport, { timeout: never }),
        ({ elapsedMs }) =>
          new McpServerError(
            `server \`${server}\` did not finish its handshake within ${elapsedMs} ms`,
            "timeout",
            { server, elapsedMs, retryable: true },
          ),
      );
      inOrder(transport);
      if (connection.#modern) await client.listen?.({ toolsListChanged: true });
    } catch (thrown) {
      // Its transport is the caller's to close.
      connection.#over = true;
      throw thrown;
    }
    return connection;
  }

  get instructions(): string | undefined {
    return this.client.getInstructions?.();
  }

  /** What the server says it is. */
  get about(): { name?: string; title?: string; description?: string } {
    return this.client.getServerVersion?.() ?? {};
  }

  /** One page of tools, as the server sent it. */
  list(cursor: string | undefined, limits: Limits): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    return this.#request(
      { method: "tools/list", params },
      { ...limits, signal: this.options.closing },
      undefined,
    );
  }

  /** Calls a tool; its result as the server sent it. */
  call(tool: string, args: unknown, definition: object, terms: CallTerms): Promise<unknown> {
    const params = { name: tool, arguments: args };
    if (!this.#modern || !this.client.callTool) {
      return this.#request({ method: "tools/call", params }, terms, tool);
    }
    // The client puts some arguments into headers there, and needs the tool for that. It is not asked to judge the result.
    const { outputSchema: _, ...toolDefinition } = definition as { outputSchema?: unknown };
    return this.#patiently(terms, tool, (options) =>
      // biome-ignore lint/style/noNonNullAssertion: checked above.
      this.client.callTool!(params, { ...options, toolDefinition }),
    );
  }

  /** Ends the connection once those who asked over it have their answers, or have had time for them. */
  async retire(): Promise<void> {
    await quietly(this.#bounded(Promise.allSettled(this.#asking), patience));
    await this.close();
  }

  async close(): Promise<void> {
    this.#over = true;
    const { terminateSession } = this.options.transport as { terminateSession?: () => Promise<void> };
    if (terminateSession) await quietly(this.#bounded(terminateSession.call(this.options.transport)));
    await quietly(this.client.close());
    await quietly(this.options.transport.close());
  }

  get #modern(): boolean {
    return this.client.getProtocolEra?.() === "modern";
  }

  #request(request: object, terms: CallTerms, tool: string | undefined): Promise<unknown> {
    return this.#patiently(terms, tool, (options) => this.client.request(request, anyResult, options));
  }

  #patiently(
    terms: CallTerms,
    tool: string | undefined,
    send: (options: object) => Promise<unknown>,
  ): Promise<unknown> {
    const { server, clock } = this.options;
    const work = (signal: AbortSignal, heard: () => void) => {
      // Asked for always: a server reports progress only to those who want it.
      const onprogress = (progress: unknown) => {
        heard();
        terms.onProgress?.(progress);
      };
      return send({ signal, onprogress, timeout: never, resetTimeoutOnProgress: true });
    };
    const overdue = ({ limit, elapsedMs }: Overdue) => {
      const what = tool === undefined ? "tools/list" : `\`${tool}\``;
      const why = limit === "silence" ? "was silent for too long" : "took longer than it may";
      const details = { server, elapsedMs, retryable: true, ...(tool !== undefined && { tool }) };
      const message = `${what} of server \`${server}\` ${why}: given up after ${elapsedMs} ms`;
      return new McpServerError(message, "timeout", details);
    };
    const asked = withPatience(clock, terms, terms.signal, work, overdue);
    const over = () => void this.#asking.delete(asked);
    this.#asking.add(asked);
    asked.then(over, over);
    return asked;
  }

  /** Politeness to a server that may be gone must not hold up anybody. */
  async #bounded(work: Promise<unknown>, milliseconds = 1000): Promise<void> {
    let stop = () => {};
    const late = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      stop = () => clearTimeout(timer);
    });
    await Promise.race([work, late]).finally(stop);
  }
}

async function quietly(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}
