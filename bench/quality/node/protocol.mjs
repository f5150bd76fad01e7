// Runs one engine over a set: a line that names it, then a line for each query. Knows no engine and nothing of what is
// right. An engine has `name`, `version`, `build(tools)` and `search(query)`, which answers the best ten `{ id, score }`.

import { readFileSync } from "node:fs";
import { parametersOf } from "../../speed/node/protocol.mjs";

export const HITS = 10;

// What a user would hand over, by field.
export const FIELDS = ["name", "description", "parameters", "server", "body"];

export async function run(engine) {
  const [toolsPath, queriesPath] = process.argv.slice(2, 4);
  await engine.build(lines(toolsPath).map(toTool));
  console.log(JSON.stringify({ engine: engine.name, version: engine.version }));
  for (const { query } of lines(queriesPath)) {
    const hits = (await engine.search(query)).slice(0, HITS);
    console.log(JSON.stringify({ ids: hits.map(({ id }) => id), score: hits[0]?.score ?? 0 }));
  }
}

// The version of an installed package, also of one that does not export its description.
export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8"))
    .version;
}

function toTool({ id, name = id, description = "", inputSchema = {}, server = "", body = "" }) {
  return { id, name, description, parameters: parametersOf(inputSchema), server, body };
}

function lines(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
