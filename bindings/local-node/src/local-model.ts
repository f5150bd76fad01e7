// A model in a folder as an embedder: what it is, and texts to vectors off the event loop. Decides nothing.

import { fromNative, HoneyguideError } from "./error.js";
import { loadNative, type NativeModel } from "./native.js";

/** What a text is: what somebody looks for, or what can be found. */
export type Role = "query" | "document";

/** How a model is used, where that is not what its files say. */
export interface LocalModelOptions {
  /** The folder with `config.json`, `tokenizer.json` and `*.safetensors`, as the hub lays it out. */
  path: string;
  /** Its name; that of its folder when absent. */
  id?: string;
  /** The longest text in tokens; what is longer is cut. */
  maxTokens?: number;
  /** What is written before queries and documents; both empty for nothing. */
  prefixes?: { query?: string; document?: string };
  /** How the vectors of tokens become one. */
  pooling?: "cls" | "mean" | "max" | "mean_sqrt_len_tokens";
  /** Whether vectors get length one. */
  normalize?: boolean;
  /** How many threads encode; one for each core when absent. */
  threads?: number;
}

/** How far an embedding is, in texts. */
export interface EmbedProgress {
  done: number;
  total: number;
}

/** What may accompany an embedding. */
export interface EmbedOptions {
  /** Ends the work before the next batch; the promise is rejected with the code `aborted`. */
  signal?: AbortSignal;
  /** Told from time to time, and at the end. */
  onProgress?: (progress: EmbedProgress) => void;
}

/** An embedder: the object that honeyguide takes. */
export interface LocalModel {
  readonly id: string;
  /** A digest of everything that vectors depend on. Reads the files through once, so best after `warmUp`. */
  readonly revision: string;
  readonly dimensions: number;
  /** The Unicode scripts that the vocabulary covers, such as `Latin`. */
  readonly scripts: readonly string[];
  /** The languages in Latin letters that the vocabulary was certainly made for, such as `en`. */
  readonly languages: readonly string[];
  /** The longest text in tokens. */
  readonly maxTokens: number;
  /** What is written before queries and documents. */
  readonly prefixes: { readonly query: string; readonly document: string };
  /** One vector for each text, computed on worker threads. The first call reads the model. */
  embed(texts: readonly string[], role: Role, options?: EmbedOptions): Promise<Float32Array[]>;
  /** Reads the model now, on a worker thread. */
  warmUp(): Promise<void>;
}

/** Between two looks at how far an embedding is. */
const LOOK_MS = 50;

/** A model in a folder. Names missing files at once and reads the weights when they are first needed. */
export function localModel(options: LocalModelOptions): LocalModel {
  const { path, ...rest } = options;
  const native = attempt(() => new (loadNative().NativeModel)(path, JSON.stringify(rest)));
  const outline = JSON.parse(native.outline()) as Pick<
    LocalModel,
    "id" | "dimensions" | "maxTokens" | "prefixes"
  >;
  const { id, dimensions, maxTokens, prefixes } = outline;
  return {
    id,
    dimensions,
    maxTokens,
    prefixes,
    get revision() {
      return attempt(() => native.revision());
    },
    get scripts() {
      return attempt(() => native.scripts());
    },
    get languages() {
      return attempt(() => native.languages());
    },
    embed: (texts, role, more = {}) => embed(native, dimensions, texts, role, more),
    warmUp: () => native.warmUp().catch(rethrow),
  };
}

async function embed(
  native: NativeModel,
  dimensions: number,
  texts: readonly string[],
  role: Role,
  { signal, onProgress }: EmbedOptions,
): Promise<Float32Array[]> {
  const job = new (loadNative().NativeJob)();
  const total = texts.length;
  if (signal?.aborted) throw aborted(signal);
  const cancel = () => job.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  let told = 0;
  const look =
    onProgress &&
    setInterval(() => {
      const done = job.done();
      // The last word comes when the vectors are there.
      if (done > told && done < total) onProgress({ done, total });
      told = done;
    }, LOOK_MS);
  try {
    const flat = await native.embed([...texts], role, job);
    onProgress?.({ done: total, total });
    return Array.from({ length: total }, (_, row) => flat.slice(row * dimensions, (row + 1) * dimensions));
  } catch (thrown) {
    throw signal?.aborted ? aborted(signal) : fromNative(thrown);
  } finally {
    clearInterval(look);
    signal?.removeEventListener("abort", cancel);
  }
}

function aborted(signal: AbortSignal): HoneyguideError {
  const record = { code: "aborted", category: "state", message: "the embedding was cancelled" } as const;
  return new HoneyguideError(record, { cause: signal.reason });
}

function rethrow(thrown: unknown): never {
  throw fromNative(thrown);
}

function attempt<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    return rethrow(thrown);
  }
}
