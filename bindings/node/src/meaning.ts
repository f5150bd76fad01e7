// Vectors for searches and for texts: asks the embedder, gives the engine what it made. Decides nothing of ranking.

import { type Embedded, type Embedder, embed } from "./embedder.js";
import { describeThrown, HoneyguideError } from "./error.js";
import type {
  Degraded,
  EmbedRole,
  Kind,
  Method,
  MissingText,
  MissingVectorsResponse,
  PutVectorsResponse,
  RefusedVector,
} from "./generated/types.js";
import { waitFor } from "./interrupt.js";
import type { Transport } from "./transport.js";
import { VectorCache } from "./vector-cache.js";

/** How far an embedding of texts is. */
export interface Progress {
  /** Items that have a vector. */
  readonly embedded: number;
  /** Items that have a text to embed. */
  readonly total: number;
}

/** How texts are embedded. */
export interface WarmUpOptions {
  /** Told after each batch. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Stops waiting; what is under way goes on. */
  signal?: AbortSignal | undefined;
}

/** What became of texts. */
export interface WarmedUp extends Progress {
  /** Texts whose vectors were none; they are found by their words. */
  readonly refused: readonly RefusedVector[];
}

/** How a query is asked for its meaning. */
export interface MeaningOptions {
  /** Gives up. */
  signal?: AbortSignal | undefined;
}

/** What a search request says of meaning. */
export interface Means {
  method?: Method;
  queryVectors?: string[];
  degraded?: Degraded;
  strict?: true;
}

/** Texts that are asked for together, and embedded together. */
const pageSize = 1_024;
const batchSize = 64;

/** After a failure nothing is embedded in the background for so long. */
const pauseMs = 30_000;

/** What a host needs to search by meaning. */
export class Meaning {
  readonly #transport: Transport;
  readonly #embedder: Embedder | undefined;
  readonly #method: Method;
  readonly #cache: VectorCache | undefined;
  readonly #listeners = new Set<(progress: Progress) => void>();
  #running: Promise<WarmedUp> | undefined;
  #pausedUntil = 0;

  constructor(
    transport: Transport,
    embedder: Embedder | undefined,
    method: Method | null | undefined,
    vectorCache?: string,
  ) {
    this.#cache = vectorCache === undefined ? undefined : new VectorCache(vectorCache);
    this.#transport = transport;
    this.#embedder = embedder;
    this.#method = method ?? "lexical";
  }

  /** What a search for these queries says of meaning: their vectors, or why there are none. */
  async of(
    queries: readonly string[],
    method: Method | null | undefined,
    kind: Kind | undefined,
    { signal }: MeaningOptions,
  ): Promise<Means> {
    const wanted = method ?? this.#method;
    if (wanted === "lexical") return { method: wanted };
    if (!this.#embedder || queries.every((query) => typeof query !== "string" || query.trim() === "")) {
      return { method: wanted };
    }
    if (!this.#isThere(kind)) return { method: wanted, degraded: "no_vectors" };
    const embedded = await embed(this.#embedder, queries, "query", signal);
    switch (embedded.kind) {
      case "vectors":
        return { method: wanted, queryVectors: embedded.vectors };
      case "error":
        return { method: wanted, degraded: "embedding_failed" };
      case "timeout":
        return { method: wanted, degraded: "timeout" };
      case "aborted":
        // Who gave up wants no answer.
        return { method: wanted, degraded: "aborted", strict: true };
    }
  }

  /** Embeds for a step of the engine. */
  async embed(
    texts: readonly string[],
    role: EmbedRole,
    signal: AbortSignal | undefined,
  ): Promise<Embedded | undefined> {
    return this.#embedder && embed(this.#embedder, texts, role, signal);
  }

  /** Begins to embed what has no vector, when the engine ranks by meaning, without waiting for it. */
  wake(): void {
    if (this.#method !== "lexical" && this.#embedder) this.#isThere(undefined);
  }

  /** Embeds every text that has no vector; whoever asks while that is under way waits for the same. */
  async warmUp({ onProgress, signal }: WarmUpOptions = {}): Promise<WarmedUp> {
    if (onProgress) this.#listeners.add(onProgress);
    try {
      const settled = await waitFor(() => this.#start(), { signal });
      if (settled.kind === "value") return settled.value as WarmedUp;
      if (settled.kind === "thrown") throw settled.thrown;
      throw new HoneyguideError({
        code: "aborted",
        category: "state",
        message: "the wait for the vectors was given up; what is under way goes on",
      });
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** Whether there is something to compare a query with. What is missing is begun in the background. */
  #isThere(kind: Kind | undefined): boolean {
    const { missing, total } = this.#missing(0, 0, kind);
    if (missing > 0 && performance.now() >= this.#pausedUntil) {
      this.#start().catch(() => {
        this.#pausedUntil = performance.now() + pauseMs;
      });
    }
    return total > missing;
  }

  #start(): Promise<WarmedUp> {
    this.#running ??= this.#embedMissing().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #embedMissing(): Promise<WarmedUp> {
    const refused: RefusedVector[] = [];
    let page = this.#missing(0, pageSize);
    // What never gets a vector stands first on every page.
    while (page.texts.length > 0) {
      const left = await this.#withoutCached(page);
      for (let first = 0; first < left.length; first += batchSize) {
        const batch = left.slice(first, first + batchSize);
        const put = await this.#embedBatch(batch, page);
        refused.push(...put.refused);
        this.#tell();
      }
      page = this.#missing(refused.length, pageSize);
    }
    return { embedded: page.total - page.missing, total: page.total, refused };
  }

  /** The texts of a page that the cache does not know; of the others the engine has the vectors then. */
  async #withoutCached({ model, texts }: MissingVectorsResponse): Promise<readonly MissingText[]> {
    if (!this.#cache) return texts;
    const vectors = await this.#cache.read(
      model,
      texts.map(({ key }) => key),
    );
    if (vectors.length === 0) return texts;
    const put = await this.#transport.sendAsync<PutVectorsResponse>("putVectors", { model, vectors });
    const refused = new Set(put.refused.map(({ key }) => key));
    const known = new Set(vectors.map(({ key }) => key).filter((key) => !refused.has(key)));
    this.#tell();
    return texts.filter(({ key }) => !known.has(key));
  }

  async #embedBatch(
    batch: readonly MissingText[],
    { model }: MissingVectorsResponse,
  ): Promise<PutVectorsResponse> {
    const embedder = this.#embedder as Embedder;
    const embedded = await embed(
      embedder,
      batch.map(({ text }) => text),
      "document",
    );
    if (embedded.kind === "error") throw embedded.error;
    const vectors = embedded.kind === "vectors" ? embedded.vectors : [];
    const keyed = batch.map(({ key }, place) => ({ key, vector: vectors[place] as string }));
    const put = await this.#transport.sendAsync<PutVectorsResponse>("putVectors", { model, vectors: keyed });
    const [first] = put.refused;
    // No vector of a batch is one: then it is the embedder that is wrong, not a text.
    if (first && put.refused.length === batch.length) {
      throw new HoneyguideError({ code: first.code, category: "invalid_input", message: first.message });
    }
    const refused = new Set(put.refused.map(({ key }) => key));
    await this.#cache?.add(
      model,
      keyed.filter(({ key }) => !refused.has(key)),
    );
    return put;
  }

  #tell(): void {
    if (this.#listeners.size === 0) return;
    const { missing, total } = this.#missing(0, 0);
    for (const listener of this.#listeners) {
      try {
        listener({ embedded: total - missing, total });
      } catch (thrown) {
        process.emitWarning(`a progress listener failed: ${describeThrown(thrown).message}`);
      }
    }
  }

  #missing(offset: number, limit: number, kind?: Kind): MissingVectorsResponse {
    return this.#transport.missingVectors({ offset, limit, kind: kind ?? null });
  }
}
