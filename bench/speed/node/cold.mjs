// One cold start: `cold.mjs bare|tools|honeyguide|minisearch TOOLS.jsonl`. Imports only what the row needs.

const [what, path] = process.argv.slice(2);
const query = "export the table to a file";
let tools = [];
if (what !== "bare") {
  const { readFileSync } = await import("node:fs");
  const text = readFileSync(path, "utf8").trim();
  tools = text.split("\n").map((line) => JSON.parse(line));
}
if (what === "honeyguide") {
  const { honeyguide } = await import("honeyguide");
  const hg = honeyguide();
  hg.tools.register(tools.map((tool) => ({ ...tool, execute: (args) => args })));
  hg.tools.search(query, { topK: 5 });
}
if (what === "minisearch") {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch({ fields: ["name", "description"] });
  index.addAll(tools);
  index.search(query).slice(0, 5);
}
