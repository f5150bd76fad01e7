// Honeyguide's Node package, by its public interface.

import { honeyguide } from "honeyguide";
import { HITS, run, versionOf } from "./protocol.mjs";

const hg = honeyguide();

run({
  name: "honeyguide (Node)",
  version: versionOf("honeyguide"),
  prepare: (tool) => ({ ...tool, execute: (args) => args }),
  query: (text) => text,
  build: (tools) => hg.tools.register(tools),
  search: (query) => hg.tools.search(query, { topK: HITS }),
  update: (tool) => hg.tools.register(tool),
  ids: (hits) => hits.map(({ id }) => id),
});
