// Embeddings of an Ollama server. Knows nothing of requests.

import { isObject } from "./answer.js";
import { EndpointEmbedder, type EndpointOptions, type Wait } from "./endpoint.js";

/** An embedder behind an Ollama server (default: the environment's `OLLAMA_HOST`, else this machine): `POST {baseURL}/api/embed`. */
export function ollamaEmbedder(options: EndpointOptions, wait?: Wait): EndpointEmbedder {
  const { model } = options;
  return new EndpointEmbedder(
    hostOf(process.env["OLLAMA_HOST"]),
    options,
    {
      path: "/api/embed",
      headers: {},
      secret: undefined,
      // Too long a text is cut by the server rather than refused.
      body: (input) => ({ model, input, truncate: true }),
      vectors(answer) {
        const embeddings = isObject(answer) ? answer["embeddings"] : undefined;
        if (!Array.isArray(embeddings) || !embeddings.every(Array.isArray)) {
          throw new Error("it has no list `embeddings` of lists");
        }
        return embeddings;
      },
    },
    wait,
  );
}

/** As Ollama reads it: a host, a host with a port, or a whole address. */
function hostOf(host: string | undefined): string {
  if (!host) return "http://127.0.0.1:11434";
  const url = new URL(host.includes("://") ? host : `http://${host}`);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.port === "" && !host.includes("://")) url.port = "11434";
  return url.origin;
}
