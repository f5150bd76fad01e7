// FlexSearch: fast and without BM25, so what it finds is to be read beside its times.

import flexsearch from "flexsearch";
import { HITS, isStopWord, run, textOf, versionOf } from "./protocol.mjs";

const index = new flexsearch.Index({ tokenize: "strict" });

run({
  name: "FlexSearch",
  version: versionOf("flexsearch"),
  prepare: (tool) => [tool.id, textOf(tool)],
  query: (text) =>
    text
      .split(" ")
      .filter((word) => !isStopWord(word))
      .join(" "),
  build: (tools) => {
    for (const [id, text] of tools) index.add(id, text);
  },
  search: (query) => index.search(query, { limit: HITS, suggest: true }),
  update: ([id, text]) => index.update(id, text),
  ids: (hits) => hits,
});
