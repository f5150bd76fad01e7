// An embedding model of the AI SDK as an embedder of Honeyguide. Knows nothing of tools and messages.

import { type EmbeddingModel, embedMany } from "ai";
import type { Embedder } from "honeyguide";

/** What an embedding model does not say of itself. */
export interface EmbedderOptions extends Pick<Embedder, "dimensions" | "revision" | "scripts" | "timeoutMs"> {
  /** The model's name (default: the provider's and the model's own); vectors of different names never meet. */
  readonly id?: string | undefined;
  /** Passed on to the provider. */
  readonly providerOptions?: Parameters<typeof embedMany>[0]["providerOptions"];
}

/** The embedder; the framework batches, and asks again what fails in passing. */
export function embedderOf(model: EmbeddingModel, options: EmbedderOptions): Embedder {
  const { id = nameOf(model), providerOptions, ...about } = options;
  return {
    ...about,
    id,
    async embed(values, _role, { signal }) {
      const { embeddings } = await embedMany({
        model,
        values: [...values],
        ...(signal ? { abortSignal: signal } : {}),
        ...(providerOptions ? { providerOptions } : {}),
      });
      return embeddings;
    },
  };
}

function nameOf(model: EmbeddingModel): string {
  return typeof model === "string" ? model : `${model.provider}/${model.modelId}`;
}
