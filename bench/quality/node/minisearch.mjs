// MiniSearch as it comes: BM25+ over fields, words cut at spaces and signs, any of the words.

import MiniSearch from "minisearch";
import { FIELDS, run, versionOf } from "./protocol.mjs";

const index = new MiniSearch({ fields: FIELDS });

run({
  name: "MiniSearch",
  version: versionOf("minisearch"),
  build: (tools) => index.addAll(tools),
  search: (query) => index.search(query),
});
