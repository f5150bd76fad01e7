// What embeds texts, as an application brings it, and the vectors that it gives. Knows nothing of searches and steps.

import { describeThrown, HoneyguideError } from "./error.js";
import type { EmbedRole, Embedder as EngineEmbedder } from "./generated/types.js";
import { waitFor } from "./interrupt.js";

/** One vector. */
export type EmbeddingVector = Float32Array | readonly number[];

/** Embeds texts. */
export interface Embedder {
  /** The model's name; vectors of different names never meet. */
  readonly id: string;
  /** Its revision, when it has one. */
  readonly revision?: string | undefined;
  /** The length of its vectors. */
  readonly dimensions: number;
  /** The scripts that it knows, such as `Latn`; all when absent. Texts mostly in others go by their words. */
  readonly scripts?: readonly string[] | undefined;
  /** The languages that it knows, such as `en`; all when absent. Where English is the only one, meaning counts little in others. */
  readonly languages?: readonly string[] | undefined;
  /** How long the embedding of a query may take before words alone answer (default 10,000 ms). */
  readonly timeoutMs?: number | undefined;
  /** One vector for each text, in their order. */
  embed(
    texts: readonly string[],
    role: EmbedRole,
    options: { readonly signal: AbortSignal | undefined },
  ): readonly EmbeddingVector[] | Promise<readonly EmbeddingVector[]>;
}

/** What came of embedding: vectors as the engine reads them, or why there are none. */
export type Embedded =
  | { kind: "vectors"; vectors: string[] }
  | { kind: "error"; error: HoneyguideError; name: string | undefined }
  | { kind: "timeout"; elapsedMs: number }
  | { kind: "aborted"; reason: unknown };

const queryTimeoutMs = 10_000;
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** What the engine is to know of an embedder; throws when it is none. */
export function aboutEmbedder(embedder: Embedder): EngineEmbedder {
  if (typeof embedder?.embed !== "function") {
    throw new HoneyguideError({
      code: "invalid_request",
      category: "invalid_input",
      message: "an embedder has a function `embed` beside its `id` and `dimensions`",
    });
  }
  const { id, revision, dimensions, scripts, languages } = embedder;
  const known = { scripts: listed(scripts), languages: listed(languages) };
  return { id, revision, dimensions, ...known } as EngineEmbedder;
}

/** Embeds texts and waits; a query's time is bounded. */
export async function embed(
  embedder: Embedder,
  texts: readonly string[],
  role: EmbedRole,
  signal?: AbortSignal,
): Promise<Embedded> {
  const timeoutMs = embedder.timeoutMs ?? queryTimeoutMs;
  const limits = role === "query" ? { signal, timeoutMs } : { signal };
  const settled = await waitFor((inner) => embedder.embed(texts, role, { signal: inner }), limits);
  if (settled.kind === "thrown") {
    const { name, message } = describeThrown(settled.thrown);
    return { kind: "error", name, error: failed(`it failed with ${message ?? name}`, settled.thrown) };
  }
  if (settled.kind !== "value") return settled;
  try {
    const vectors = toNumbers(settled.value, texts.length);
    // Of texts each vector is judged alone, by the engine; a query has but one.
    if (role === "query") for (const vector of vectors) mustFit(vector, embedder.dimensions);
    return { kind: "vectors", vectors: vectors.map(toText) };
  } catch (thrown) {
    return { kind: "error", name: undefined, error: thrown as HoneyguideError };
  }
}

/** A string is left as it is, for the engine to refuse: it is no list of letters. */
function listed(known: readonly string[] | undefined): readonly string[] | undefined {
  return known === undefined || typeof known === "string" ? known : [...known];
}

function toNumbers(vectors: unknown, count: number): Float32Array[] {
  if (!Array.isArray(vectors)) throw failed("what it gave is no list of vectors");
  if (vectors.length !== count) throw failed(`it gave ${vectors.length} vectors for ${count} texts`);
  return vectors.map((vector) => {
    if (vector instanceof Float32Array) return vector;
    if (Array.isArray(vector)) return Float32Array.from(vector);
    throw failed("one of its vectors is neither a Float32Array nor a list of numbers");
  });
}

function mustFit(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw failed(`it gave ${vector.length} numbers where its model has ${dimensions} dimensions`);
  }
  if (!vector.every(Number.isFinite)) throw failed("it gave a number that is not finite");
  if (vector.every((number) => number === 0)) throw failed("it gave a vector of zeros");
}

/** Base64 of little-endian 32-bit floats. */
function toText(vector: Float32Array): string {
  // A copy: the bytes may be turned, and what came is not ours.
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  return (littleEndian ? bytes : bytes.swap32()).toString("base64");
}

function failed(what: string, cause?: unknown): HoneyguideError {
  return new HoneyguideError(
    { code: "embedding_failed", category: "state", message: `the embedder gave no vectors: ${what}` },
    { cause },
  );
}
