// Every scenario of e2e/gateway/scenarios.json, against the program that people start.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Scenario } from "./places.js";
import { runScenario } from "./scenario-run.js";

const file = new URL("../../../../e2e/gateway/scenarios.json", import.meta.url);
const { defaults, scenarios } = JSON.parse(readFileSync(file, "utf8")) as {
  defaults: object;
  scenarios: Scenario[];
};

it("there are at least forty scenarios, each named once", () => {
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  expect(scenarios.length).toBeGreaterThanOrEqual(40);
});

const here = scenarios.filter(({ posix }) => !posix || process.platform !== "win32");

describe.concurrent("the gateway", () => {
  it.concurrent.each(here.map((scenario) => [scenario.name, scenario] as const))("%s", (_title, scenario) =>
    runScenario(scenario, defaults),
  );
});
