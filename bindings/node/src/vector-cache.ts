// A file of vectors that programs share: what one has embedded, no other embeds again. Knows no embedder.
// A cache that fails is said once and left out: what it would have spared is embedded.

import { describeThrown } from "./error.js";
import type { KeyedVector, VectorModel } from "./generated/types.js";
import { loadNative } from "./native.js";
import { unwrap } from "./transport.js";

/** The vectors of a file. */
export class VectorCache {
  readonly #path: string;
  #failed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The vectors of these texts that are there. */
  async read(model: VectorModel, keys: readonly string[]): Promise<readonly KeyedVector[]> {
    const answer = await this.#ask<{ vectors: KeyedVector[] }>("readVectors", { model, keys });
    return answer?.vectors ?? [];
  }

  /** Adds vectors of texts that are not there yet. */
  async add(model: VectorModel, vectors: readonly KeyedVector[]): Promise<void> {
    if (vectors.length > 0) await this.#ask("addVectors", { model, vectors });
  }

  async #ask<Answer>(operation: string, request: object): Promise<Answer | undefined> {
    if (this.#failed) return undefined;
    try {
      const text = JSON.stringify({ path: this.#path, ...request });
      return unwrap<Answer>(await loadNative().callFiles(operation, text));
    } catch (thrown) {
      this.#failed = true;
      process.emitWarning(`${describeThrown(thrown).message}; vectors are embedded without it`);
      return undefined;
    }
  }
}
