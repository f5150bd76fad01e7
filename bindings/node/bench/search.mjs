// What the facade and the boundary add to a search: node bench/search.mjs [TOOLS]
// Prints microseconds per call (best of many short rounds), for the facade, for the bare native call, and for its JSON.

import { createRequire } from "node:module";
import { honeyguide } from "honeyguide";

const count = Number(process.argv[2] ?? 1000);
// Many short rounds: on a machine that others use, the best one had the processor to itself.
const rounds = 60;
const calls = 200;

const nouns =
  "issue file branch commit review label message channel invoice customer order ticket event calendar contact table row column page comment folder image user team project task note report alert metric".split(
    " ",
  );
const verbs =
  "create list get update delete search send archive merge close open export import assign move".split(" ");
const servers = "github slack mail drive jira stripe notion postgres calendar grafana".split(" ");

const tools = Array.from({ length: count }, (_, place) => {
  const verb = verbs[place % verbs.length];
  const noun = nouns[Math.floor(place / verbs.length) % nouns.length];
  const server = servers[place % servers.length];
  return {
    id: `${server}__${verb}_${noun}_${place}`,
    description: `${verb} a ${noun} on ${server}. Use it when the user asks to ${verb} one ${noun} or several.`,
    server,
    inputSchema: {
      type: "object",
      properties: {
        [`${noun}_id`]: { type: "string", description: `The ${noun} to ${verb}` },
        limit: { type: "integer", description: "How many at the most", default: 20 },
        fields: { type: "array", items: { type: "string", enum: ["name", "owner", "created", "updated"] } },
      },
      required: [`${noun}_id`],
    },
    execute: (args) => args,
  };
});
const queries = Array.from({ length: 50 }, (_, place) => {
  const noun = nouns[(place * 7) % nouns.length];
  return `${verbs[(place * 3) % verbs.length]} the ${noun} that my team opened on ${servers[place % servers.length]}`;
});

const hg = honeyguide();
const registered = best(1, () => hg.tools.replaceAll(tools));
const native = new (createRequire(import.meta.url)(nativeFile()).NativeEngine)("{}");
native.load(hg.save());
const requests = queries.map((query) => JSON.stringify({ kind: "tool", query }));
const answers = requests.map((request) => native.call("search", request));

report("register, per tool", registered / count);
report(
  "hg.tools.search",
  best(calls, (call) => hg.tools.search(queries[call % queries.length])),
);
report(
  "native.call(search)",
  best(calls, (call) => native.call("search", requests[call % requests.length])),
);
report(
  "native.call(size)",
  best(calls, () => native.call("size", '{"kind":"tool"}')),
);
report(
  "JSON.parse of an answer",
  best(calls, (call) => JSON.parse(answers[call % answers.length])),
);
report(
  "hg.tools.search, with schemas",
  best(calls, (call) =>
    hg.tools.search(queries[call % queries.length], { include: ["schema", "description"] }),
  ),
);
const [first] = tools;
report(
  "hg.tools.invoke",
  await bestAsync(calls, () =>
    hg.tools.invoke(first.id, { [Object.keys(first.inputSchema.properties)[0]]: "x" }),
  ),
);

function best(times, run) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const began = process.hrtime.bigint();
    for (let call = 0; call < times; call++) run(call);
    least = Math.min(least, Number(process.hrtime.bigint() - began) / 1000 / times);
  }
  return least;
}

async function bestAsync(times, run) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const began = process.hrtime.bigint();
    for (let call = 0; call < times; call++) await run(call);
    least = Math.min(least, Number(process.hrtime.bigint() - began) / 1000 / times);
  }
  return least;
}

function nativeFile() {
  return process.report.getReport().sharedObjects.find((file) => file.endsWith(".node"));
}

function report(what, microseconds) {
  console.log(`${what.padEnd(32)} ${microseconds.toFixed(2).padStart(9)} µs`);
}
