// Embeddings of endpoints that speak OpenAI's protocol: OpenAI, and most servers that run models of one's own.
// Knows nothing of requests.

import { isObject } from "./answer.js";
import { EndpointEmbedder, type EndpointOptions, type Wait } from "./endpoint.js";

/** An endpoint that speaks OpenAI's protocol. */
export interface OpenAIOptions extends EndpointOptions {
  /** The key (default: the environment's `OPENAI_API_KEY`); sent as a bearer token where there is one. */
  readonly apiKey?: string | undefined;
  /** Asks the endpoint for vectors of `dimensions`, where the model can shorten them. */
  readonly shorten?: boolean | undefined;
}

/** An embedder behind an OpenAI-compatible endpoint: `POST {baseURL}/embeddings`. */
export function openAIEmbedder(options: OpenAIOptions, wait?: Wait): EndpointEmbedder {
  const { model, dimensions, shorten, apiKey = process.env["OPENAI_API_KEY"] } = options;
  return new EndpointEmbedder(
    "https://api.openai.com/v1",
    options,
    {
      path: "/embeddings",
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      secret: apiKey,
      body: (input) => ({ model, input, encoding_format: "float", ...(shorten ? { dimensions } : {}) }),
      vectors: inOrder,
    },
    wait,
  );
}

/** The vectors by their place in the request, which need not be that in the answer. */
function inOrder(answer: unknown): number[][] {
  const data = isObject(answer) ? answer["data"] : undefined;
  if (!Array.isArray(data)) throw new Error("it has no list `data`");
  const vectors: number[][] = [];
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = isObject(item) ? item : {};
    if (!Array.isArray(embedding)) throw new Error("an item has no list `embedding`");
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= data.length) {
      throw new Error("the items' `index` are not those of the texts");
    }
    if (vectors[index]) throw new Error("two items have one `index`");
    vectors[index] = embedding;
  }
  return vectors;
}
