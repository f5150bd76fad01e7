// An embedding model of the framework behind a search by meaning, in each major.

import type { EmbeddingModel } from "ai";
import * as mocks from "ai/test";
import { honeyguide } from "honeyguide";
import { expect, it } from "vitest";
import { embedderOf } from "../src/index.js";
import { type Message, major } from "./agent.js";

/** A model with a direction for what removes and one for what makes; it notes what it was asked. */
function removing() {
  const asked: Message[] = [];
  const Mock: Message = Reflect.get(mocks, `MockEmbeddingModelV${major === 5 ? 2 : major === 6 ? 3 : 4}`);
  const model: EmbeddingModel = new Mock({
    provider: "toy",
    modelId: "two",
    maxEmbeddingsPerCall: 2,
    doEmbed: async (options: Message) => {
      asked.push(options);
      const embeddings = options.values.map((text: string) => [
        /rid|delete/i.test(text) ? 1 : 0,
        /make|create/i.test(text) ? 1 : 0,
        0.1,
      ]);
      return { embeddings, usage: { tokens: 1 }, warnings: [] };
    },
  });
  return { model, asked };
}

it("embeds what the framework's own model embeds", async () => {
  const { model, asked } = removing();
  const embedder = embedderOf(model, { dimensions: 3, providerOptions: { toy: { user: "ada" } } });
  const hg = honeyguide({ embedder, method: "hybrid" });
  hg.tools.register(
    ["Delete a flow", "Create a flow", "Count flows"].map((description, place) => ({
      id: `flow_${place}`,
      description,
      execute: () => place,
    })),
  );
  expect(await hg.warmUp()).toMatchObject({ embedded: 3, total: 3, refused: [] });
  expect((await hg.tools.searchAsync("get rid of it"))[0]?.id).toBe("flow_0");
  // The framework batches by what the model says of itself: two texts and one, and the query.
  expect(asked.map(({ values }) => values.length)).toEqual([2, 1, 1]);
  expect(asked[0]?.providerOptions).toMatchObject({ toy: { user: "ada" } });
  expect(embedder.id).toBe("toy/two");
});

it("leaves the words to answer when the model fails", async () => {
  const { model } = removing();
  Object.assign(model as object, {
    doEmbed: async () => {
      throw new TypeError("out of order");
    },
  });
  const hg = honeyguide({ embedder: embedderOf(model, { dimensions: 3 }), method: "hybrid" });
  hg.tools.register({ id: "a", description: "Delete a flow", execute: () => 1 });
  await expect(hg.warmUp()).rejects.toMatchObject({ code: "embedding_failed" });
  expect((await hg.tools.searchAsync("delete a flow"))[0]?.id).toBe("a");
});
