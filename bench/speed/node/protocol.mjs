// Runs one engine through the protocol of the speed bench and prints its one line of JSON. Knows no engine.
// An engine has `name`, `version`, `prepare(tool)` and `query(text)`, which are not measured, and `build(tools)`,
// `search(query)`, `update(tool)`, `ids(hits)`.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const HITS = 5;
const UPDATE_MILLISECONDS = 4000;
const SEARCH_MILLISECONDS = 6000;
const UPDATES_LEAST = 5;
const AGAIN = 3;

export function run(engine) {
  const [toolsPath, queriesPath, updatesPath, passes] = process.argv.slice(-4);
  const asked = lines(queriesPath);
  const tools = lines(toolsPath).map((tool) => engine.prepare(tool));
  const changes = lines(updatesPath).map((tool) => engine.prepare(tool));
  const queries = asked.map(({ query }) => engine.query(query));

  const before = resident();
  const began = cpu();
  engine.build(tools);
  const built = cpu();
  engine.search(queries[0]);
  const first = cpu();
  const held = Math.max(0, resident() - before);

  const least = queries.map(() => Number.POSITIVE_INFINITY);
  const started = performance.now();
  for (let pass = 0; pass < Number(passes); pass++) {
    if (pass > 0 && performance.now() - started > SEARCH_MILLISECONDS) break;
    queries.forEach((query, place) => {
      least[place] = Math.min(least[place], timed(engine, query));
    });
  }
  let found = 0;
  const hash = createHash("sha256");
  asked.forEach(({ gold }, place) => {
    const ids = engine.ids(engine.search(queries[place]));
    found += gold.some((id) => ids.includes(id)) ? 1 : 0;
    hash.update(`${ids.join(",")}\n`);
  });
  const update = updates(engine, changes, queries);
  console.log(
    JSON.stringify({
      engine: engine.name,
      version: engine.version,
      tools: tools.length,
      build_cpu_ms: (built - began) / 1000,
      first_cpu_ms: (first - built) / 1000,
      p50_us: quantile(least, 0.5),
      p99_us: quantile(least, 0.99),
      mean_us: least.reduce((sum, value) => sum + value, 0) / least.length,
      ...update,
      rss_growth: held,
      memory: held,
      hits_at_5: found / queries.length,
      hash: hash.digest("hex").slice(0, 16),
    }),
  );
}

// One change and one search after it, again and again; not for ever where each rebuilds.
function updates(engine, changes, queries) {
  const [took, firsts, ratios] = [[], [], []];
  const started = performance.now();
  for (const [place, change] of changes.entries()) {
    const query = queries[place % queries.length];
    const began = cpu();
    engine.update(change);
    const first = timed(engine, query);
    took.push(cpu() - began);
    const warm = Math.min(...Array.from({ length: AGAIN }, () => timed(engine, query)));
    firsts.push(first);
    ratios.push(first / Math.max(0.001, warm));
    if (performance.now() - started > UPDATE_MILLISECONDS && took.length >= UPDATES_LEAST) break;
  }
  return {
    update_cpu_us: quantile(took, 0.5),
    updates: took.length,
    first_after_change_us: quantile(firsts, 0.5),
    first_after_change_over_warm: quantile(ratios, 0.5),
  };
}

// The text of a tool, for engines that index one text: name, description, parameters.
export function textOf(tool) {
  return [tool.name ?? "", tool.description ?? "", parametersOf(tool.inputSchema)].join(" ");
}

// The names and descriptions of the parameters of a schema.
export function parametersOf(schema) {
  const parts = [];
  walk(schema, parts);
  return parts.join(" ");
}

function walk(schema, parts) {
  if (typeof schema !== "object" || schema === null) return;
  if (typeof schema.description === "string") parts.push(schema.description);
  if (Array.isArray(schema.enum)) parts.push(...schema.enum.filter((value) => typeof value === "string"));
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    parts.push(name);
    walk(part, parts);
  }
  walk(schema.items, parts);
}

// Words that no engine is asked for where it has no list of its own.
const STOP = new Set(
  "the a of for to and in with from by on this that or is as at be it an i me we you can my are do please".split(
    " ",
  ),
);

export function isStopWord(word) {
  return STOP.has(word.toLowerCase());
}

// The version of an installed package, also of one that does not export its description.
export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8"))
    .version;
}

function timed(engine, query) {
  const began = performance.now();
  engine.search(query);
  return (performance.now() - began) * 1000;
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function resident() {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

function quantile(numbers, share) {
  const ascending = [...numbers].sort((left, right) => left - right);
  return ascending[Math.round((ascending.length - 1) * share)];
}

function lines(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
