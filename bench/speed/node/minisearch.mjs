// MiniSearch: BM25+ over one field; it has no stemmer of its own.

import MiniSearch from "minisearch";
import { HITS, isStopWord, run, textOf, versionOf } from "./protocol.mjs";

const index = new MiniSearch({
  fields: ["text"],
  processTerm: (term) => (isStopWord(term) ? null : term.toLowerCase()),
});

run({
  name: "MiniSearch",
  version: versionOf("minisearch"),
  prepare: (tool) => ({ id: tool.id, text: textOf(tool) }),
  query: (text) => text,
  build: (tools) => index.addAll(tools),
  search: (query) => index.search(query).slice(0, HITS),
  update: (tool) => (index.has(tool.id) ? index.replace(tool) : index.add(tool)),
  ids: (hits) => hits.map(({ id }) => id),
});
