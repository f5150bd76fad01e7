// Orama as it comes: BM25 over fields, its English tokeniser, any word that begins like one of the query's. With `stop` it
// also passes over the stop words that its own package lists: otherwise `a` finds every word with that letter in front.

import { create, insertMultiple, search } from "@orama/orama";
import { FIELDS, HITS, run, versionOf } from "./protocol.mjs";

const schema = Object.fromEntries(FIELDS.map((field) => [field, "string"]));
const index = create({ schema, components: await components(process.argv[4]) });

run({
  name: "Orama",
  version: versionOf("@orama/orama"),
  build: (tools) => insertMultiple(index, tools),
  search: async (query) => (await search(index, { term: query, limit: HITS })).hits,
});

async function components(mode) {
  if (mode !== "stop") return {};
  const { stopwords } = await import("@orama/stopwords/english");
  return { tokenizer: { language: "english", stopWords: stopwords } };
}
