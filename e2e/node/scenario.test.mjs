// Drives every step of the scenario through the public facade of the installed package, and writes down what was
// observed for the other languages to be compared with.

import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import * as canonical from "./canonical.mjs";
import { compareStep } from "./compare.mjs";
import { divergence, scenario, World } from "./world.mjs";

const transcript = new URL("../.build/node.jsonl", import.meta.url);
writeFileSync(transcript, "");
// `e2e/compare` fails when a known difference goes away.
const known = new Set(divergence.filter(({ language }) => language === "node").map(({ step }) => step));
const world = new World();

for (const step of scenario.steps) {
  test(step.name, async () => {
    let observed = { broken: "the runner failed" };
    let differences = ["the runner failed"];
    try {
      observed = await world.take(step);
      differences = compareStep(world, step, observed);
    } finally {
      const kept = canonical.comparable(observed, Object.keys(step.unstable ?? {}));
      const line = { step: step.name, differences, observed: kept };
      appendFileSync(transcript, `${canonical.write(line)}\n`);
    }
    if (!known.has(step.name)) assert.deepEqual(differences, []);
  });
}
