// What `honeyguide/embedders` exports, name by name.

export { EndpointEmbedder, type EndpointOptions } from "./endpoint.js";
export { ollamaEmbedder } from "./ollama.js";
export { type OpenAIOptions, openAIEmbedder } from "./openai.js";
