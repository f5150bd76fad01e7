// An embedder behind an HTTP endpoint: batches, retries and time limits, whatever the protocol. Knows no provider.
//
// A key is sent and never said: what an endpoint answers is quoted in errors without it.

import { HoneyguideError } from "../error.js";
import type { EmbedRole } from "../generated/types.js";

/** What all endpoints have in common. */
export interface EndpointOptions {
  /** The model's name at the endpoint. */
  readonly model: string;
  /** The length of its vectors. */
  readonly dimensions: number;
  /** Where the endpoint is; a path that is already there stays. */
  readonly baseURL?: string | undefined;
  /** The model's revision, when the endpoint has one. */
  readonly revision?: string | undefined;
  /** The scripts that the model knows, such as `Latn`; all when absent. */
  readonly scripts?: readonly string[] | undefined;
  /** The languages that the model knows, such as `en`; all when absent. */
  readonly languages?: readonly string[] | undefined;
  /** What stands before each query, for models that are trained so. */
  readonly queryPrefix?: string | undefined;
  /** What stands before each document. */
  readonly documentPrefix?: string | undefined;
  /** Texts in one request (default 64). */
  readonly batchSize?: number | undefined;
  /** How often a request is made again (default 3) after 408, 409, 429, 5xx or no answer. */
  readonly maxRetries?: number | undefined;
  /** How long one request may take (default 30,000 ms). */
  readonly requestTimeoutMs?: number | undefined;
  /** How long the embedding of a query may take before words alone answer (default 10,000 ms). */
  readonly timeoutMs?: number | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes the requests (default: the global `fetch`): for a proxy, a company's certificates, a log of one's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** What an endpoint's protocol is. */
export interface Protocol {
  /** Behind the base. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What must not be said. */
  readonly secret: string | undefined;
  body(texts: readonly string[]): unknown;
  /** The vectors in an answer, in the order of the texts; throws what is wrong with it. */
  vectors(answer: unknown): readonly (readonly number[])[];
}

const defaults = { batchSize: 64, maxRetries: 3, requestTimeoutMs: 30_000 };

/** Waits between a request and the next: half a second, doubled each time, up to eight; an endpoint may ask for up to a minute. */
const pause = { first: 500, most: 8_000, asked: 60_000 };

/** Answers that may be another one next time. */
const passing = new Set([408, 409, 425, 429]);

/** The most that is read of an answer, in characters: far above any batch of vectors. */
const longestAnswer = 256 * 1024 * 1024;

/** An embedder behind an endpoint. */
export class EndpointEmbedder {
  readonly id: string;
  readonly revision: string | undefined;
  readonly dimensions: number;
  readonly scripts: readonly string[] | undefined;
  readonly languages: readonly string[] | undefined;
  readonly timeoutMs: number | undefined;
  readonly #options: EndpointOptions;
  readonly #protocol: Protocol;
  readonly #url: string;
  readonly #wait: Wait;

  constructor(baseURL: string, options: EndpointOptions, protocol: Protocol, wait: Wait = waitFor) {
    this.id = options.model;
    this.revision = revisionOf(options);
    this.dimensions = options.dimensions;
    this.scripts = options.scripts;
    this.languages = options.languages;
    this.timeoutMs = options.timeoutMs;
    this.#options = options;
    this.#protocol = protocol;
    this.#url = join(options.baseURL ?? baseURL, protocol.path);
    this.#wait = wait;
  }

  /** One vector for each text, in their order. */
  async embed(
    texts: readonly string[],
    role: EmbedRole,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<readonly (readonly number[])[]> {
    const { queryPrefix = "", documentPrefix = "", batchSize = defaults.batchSize } = this.#options;
    const prefix = role === "query" ? queryPrefix : documentPrefix;
    const vectors: (readonly number[])[] = [];
    for (let first = 0; first < texts.length; first += Math.max(1, batchSize)) {
      const batch = texts.slice(first, first + Math.max(1, batchSize));
      vectors.push(
        ...(await this.#batch(
          batch.map((text) => prefix + text),
          signal,
        )),
      );
    }
    return vectors;
  }

  async #batch(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (readonly number[])[]> {
    const { maxRetries = defaults.maxRetries } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#request(texts, signal);
      if ("vectors" in answer) return answer.vectors;
      signal?.throwIfAborted();
      if (!answer.passing || attempt >= maxRetries) throw this.#failed(answer.what, attempt + 1);
      await this.#wait(answer.pauseMs ?? backOff(attempt), signal);
    }
  }

  async #request(texts: readonly string[], signal: AbortSignal | undefined): Promise<Answer> {
    const {
      fetch: request = fetch,
      headers = {},
      requestTimeoutMs = defaults.requestTimeoutMs,
    } = this.#options;
    const limit = AbortSignal.timeout(requestTimeoutMs);
    try {
      const response = await request(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json", ...this.#protocol.headers, ...headers },
        body: JSON.stringify(this.#protocol.body(texts)),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        // A key is for the host that it was given to.
        redirect: "error",
      });
      const text = await response.text();
      if (!response.ok) return refusal(response, text);
      return this.#read(text, texts.length);
    } catch (thrown) {
      signal?.throwIfAborted();
      const what = limit.aborted
        ? `no answer within ${requestTimeoutMs} ms`
        : `no answer: ${reasonOf(thrown)}`;
      return { what, passing: true };
    }
  }

  /** What is wrong with an answer stays wrong. */
  #read(text: string, count: number): Answer {
    try {
      if (text.length > longestAnswer) throw new Error(`it has ${text.length} characters`);
      const vectors = this.#protocol.vectors(JSON.parse(text));
      if (vectors.length !== count) throw new Error(`it has ${vectors.length} vectors for ${count} texts`);
      const wrong = vectors.find((vector) => vector.length !== this.dimensions);
      if (wrong) throw new Error(`a vector has ${wrong.length} numbers, not ${this.dimensions}`);
      return { vectors };
    } catch (thrown) {
      const isMarkup = text.trimStart().startsWith("<");
      const why = isMarkup ? "it is a page, not JSON; look at `baseURL`" : reasonOf(thrown);
      return { what: `an answer that cannot be read: ${why}`, passing: false };
    }
  }

  #failed(what: string, attempts: number): HoneyguideError {
    const { secret } = this.#protocol;
    const said = secret ? what.replaceAll(secret, "…") : what;
    const times = attempts === 1 ? "" : `, ${attempts} times`;
    const message = `${new URL(this.#url).host} gave no vectors of ${this.id}: ${said}${times}`;
    return new HoneyguideError({ code: "embedding_failed", category: "state", message });
  }
}

/** What stands before documents is in their vectors, so it belongs to the revision. */
function revisionOf({ revision, documentPrefix }: EndpointOptions): string | undefined {
  const said = [revision, documentPrefix && JSON.stringify(documentPrefix)].filter(Boolean);
  return said.length === 0 ? undefined : said.join(" ");
}

/** Waits; ends early, with the signal's reason, when it is given up. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

type Answer =
  | { readonly vectors: readonly (readonly number[])[] }
  | { readonly what: string; readonly passing: boolean; readonly pauseMs?: number };

function refusal(response: Response, text: string): Answer {
  const { status, headers } = response;
  const said = text.trimStart().startsWith("<") ? "" : ` ${text.replace(/\s+/g, " ").trim().slice(0, 200)}`;
  const asked = pauseAskedFor(headers);
  return {
    what: `HTTP ${status}${said}`,
    passing: passing.has(status) || status >= 500,
    ...(asked === undefined ? {} : { pauseMs: asked }),
  };
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function pauseAskedFor(headers: Headers): number | undefined {
  const said = headers.get("retry-after");
  if (!said) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), pause.asked) : undefined;
}

/** Doubled each time, and between half and all of that, so that many clients do not come back at once. */
function backOff(attempt: number): number {
  return Math.min(pause.first * 2 ** attempt, pause.most) * (0.5 + Math.random() / 2);
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // `fetch` says only that it failed; why stands in the cause.
  const { cause } = thrown;
  return cause instanceof Error && cause.message ? `${thrown.message} (${cause.message})` : thrown.message;
}

function join(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}
