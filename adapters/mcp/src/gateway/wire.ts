// The standard streams of a program that speaks a protocol: nothing else may reach its output. Knows no method.

import { Writable } from "node:stream";
import type { McpTransport } from "../sdk.js";
import { writeComplaint } from "./log.js";

/** Sends all that is printed to standard error, from now on; answers the one way that is left to standard output. */
export function claimOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // `console` and whoever else prints goes through this method.
  stdout.write = writeComplaint as typeof stdout.write;
  const wire = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => void write(text, (error) => done(error ?? null)),
  });
  // Each answer that has to wait for a slow client waits for itself.
  wire.setMaxListeners(0);
  stdout.on("error", (error) => wire.destroy(error));
  // A client that closed our standard error misses what it says, and nothing else.
  stderr.on("error", () => undefined);
  return wire;
}

type Message = {
  readonly id?: string | number;
  readonly result?: Record<string, unknown>;
  readonly [field: string]: unknown;
};

/**
 * A transport that puts what a server said in place of what the official package makes of it: that judges results, and refuses
 * or empties what it does not know.
 */
export class WholeResults implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: McpTransport["onmessage"];
  readonly #kept = new Map<string | number, Record<string, unknown>>();

  constructor(
    private readonly inner: McpTransport,
    private readonly ended: () => void,
  ) {}

  /** Keeps the result of a request until its answer is sent, or until it is given up; answers what stands in for it. */
  keep(id: string | number, result: Record<string, unknown>, signal: AbortSignal): { content: [] } {
    // One that is given up is not answered, and its number may come again.
    if (signal.aborted) return { content: [] };
    this.#kept.set(id, result);
    signal.addEventListener("abort", () => this.#kept.delete(id), { once: true });
    return { content: [] };
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message, extra) => this.onmessage?.(message, extra);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      this.onclose?.();
      this.ended();
    };
    await this.inner.start();
  }

  async send(message: Message, options?: unknown): Promise<void> {
    await this.inner.send(this.#whole(message), options);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  #whole(message: Message): Message {
    const { id } = message;
    if (id === undefined || "method" in message) return message;
    const kept = this.#kept.get(id);
    if (!kept) return message;
    this.#kept.delete(id);
    if (message.result === undefined) return message;
    // What the protocol itself says of the answer is the gateway's to say: `resultType` could ask for input in its name.
    const { resultType: _, _meta, ...said } = kept;
    const { content: __, _meta: own, ...ours } = message.result;
    const meta = { ...(_meta as object | undefined), ...(own as object | undefined) };
    const hasMeta = _meta !== undefined || own !== undefined;
    return { ...message, result: { content: [], ...said, ...ours, ...(hasMeta && { _meta: meta }) } };
  }
}
