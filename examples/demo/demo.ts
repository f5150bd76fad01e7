// A scripted agent on 527 real MCP tools. The script holds nothing but the model's calls: every reply and number is computed.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { honeyguide } from "honeyguide";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

interface Task {
  task: string;
  calls: Call[];
}

// biome-ignore lint/suspicious/noExplicitAny: three tools answer in three shapes, and each is printed by its own.
type Reply = Record<string, any>;

const folder = process.argv[2] ?? fileURLToPath(new URL("data", import.meta.url));
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");

const hg = honeyguide();
const tools = read("tools.jsonl")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
hg.tools.register(
  tools.map((tool) => ({ ...tool, execute: (args: unknown) => ({ tool: tool.id, received: args }) })),
);
hg.skills.register(JSON.parse(read("skills.json")));

const cost = hg.tokens();
const [everything, three] = [cost.catalog, cost.modelTools];
console.log(
  `${hg.tools.size} tools and ${hg.skills.size} skills; the prompt holds ${hg.modelTools().length} tool definitions`,
);
console.log(`  everything in the prompt  ${bar(everything, everything)} ${everything} tokens`);
console.log(`  three tools               ${bar(three, everything)} ${three} tokens`);

let turns = 0;
let replies = 0;
for (const { task, calls } of JSON.parse(read("script.json")) as Task[]) {
  console.log(`\n> ${task}`);
  for (const call of calls) {
    const start = process.hrtime.bigint();
    const reply = (await hg.call(call.name, call.arguments)) as Reply;
    const micros = Number(process.hrtime.bigint() - start) / 1000;
    const tokens = hg.tokens({ texts: [JSON.stringify(reply)] }).texts[0];
    turns += 1;
    replies += tokens;
    console.log(`  ${call.name}(${JSON.stringify(call.arguments)})`);
    console.log(`    [${micros.toFixed(0)} µs, ${tokens} tokens]`);
    for (const line of told(reply)) console.log(`    ${line}`);
  }
}

const before = everything * turns;
const now = three * turns + replies;
console.log(
  `\n${turns} model turns: ${before} tokens of definitions with everything in the prompt, ${now} with Honeyguide (replies included)`,
);
console.log(`that is ${(before / now).toFixed(1)} times less`);

/** A reply in a few lines. */
function told(reply: Reply): string[] {
  if (reply.isError)
    return [
      `${reply.error}: ${reply.message}`,
      `candidates: ${(reply.candidates ?? []).join(", ")}`,
      `next: ${reply.next}`,
    ];
  if (reply.status) {
    const hits = reply.tools.groups.flatMap((group: Reply) =>
      group.hits.map((hit: Reply) => `tool  ${hit.toolId} (${hit.score})`),
    );
    const skills = reply.skills.map((skill: Reply) => `skill ${skill.skillId} (${skill.score})`);
    return [`status: ${reply.status}`, ...hits, ...skills, ...(reply.hint ? [`hint: ${reply.hint}`] : [])];
  }
  if (reply.skillId) return [`${reply.name}, ${reply.totalChars} characters: ${reply.body.split("\n")[0]}`];
  return [JSON.stringify(reply)];
}

function bar(part: number, whole: number): string {
  return "█".repeat(Math.max(1, Math.round((40 * part) / whole))).padEnd(40, "·");
}
