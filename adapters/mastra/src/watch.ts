// Shows what a model is sent to a watch, as it is sent. Knows nothing of what the watch makes of it.

import type { CacheWatch } from "honeyguide";
import { around } from "./model.js";

/** The model, watched. */
export function watched<Model>(model: Model, watch: CacheWatch): Model {
  return around(model, (options, answer) => {
    watch.note({ tools: options.tools ?? [], messages: options.prompt ?? [] });
    return answer();
  });
}
