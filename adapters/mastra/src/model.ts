// A model of Mastra with something around each of its answers. Knows nothing of what that is.

import { isObject } from "./types.js";

/** What a model is asked, as far as this package reads it. */
export interface ModelOptions {
  readonly tools?: readonly { readonly name: string }[];
  readonly prompt?: readonly unknown[];
}

/** The same model, but for how it is asked; both ways of asking it take the same options. */
export function around<Model>(
  model: Model,
  asked: (options: ModelOptions, answer: () => Promise<unknown>) => Promise<unknown>,
): Model {
  if (!isObject(model)) return model;
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key !== "doStream" && key !== "doGenerate") return value.bind(target);
      return (options: ModelOptions) => asked(options, async () => value.call(target, options));
    },
  });
}
