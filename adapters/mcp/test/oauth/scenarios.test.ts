// The scenarios of e2e/oauth, each case as a test of its own.

import { describe, expect, it, vi } from "vitest";
import world from "../../../../e2e/oauth/scenarios.json" with { type: "json" };
import { canonicalAddress } from "../../src/oauth/canonical-address.js";
import { isPublic } from "../../src/oauth/public-address.js";
import { type Data, runScenario, type Scenario } from "./scenario-run.js";

/** One scenario for each case, with its value where it stands for it. */
function casesOf({ cases, ...scenario }: Data): Scenario[] {
  if (!cases) return [scenario];
  return Object.entries<Data>(cases).map(([name, value]) => {
    const fill = (part: Data): Data => {
      if (typeof part === "string") return part.replaceAll("{case}", String(value));
      if (Array.isArray(part)) return part.map(fill);
      if (typeof part !== "object" || part === null) return part;
      if (part.$case === true) return value;
      return Object.fromEntries(Object.entries(part).map(([key, each]) => [fill(key), fill(each)]));
    };
    return { ...fill(scenario), name: scenario.name.replaceAll("{case}", name) };
  });
}

describe.concurrent("signing in", () => {
  for (const scenario of world.scenarios.flatMap(casesOf)) {
    const skipped = scenario.posix && process.platform === "win32";
    it.skipIf(skipped)(scenario.name, () => runScenario(scenario, world.resolves));
  }
});

it("tells addresses of the open internet from all others", () => {
  const { public: open, refused } = world.addresses;
  expect(open.filter((address) => !isPublic(address))).toEqual([]);
  expect(refused.filter(isPublic)).toEqual([]);
});

it("has one form of every address", () => {
  for (const [written, canonical] of world.canonical)
    expect(canonicalAddress(written as string)).toBe(canonical);
});

it("prints nothing by itself", async () => {
  const spies = (["log", "info", "warn", "error"] as const).map((name) => vi.spyOn(console, name));
  const [scenario] = world.scenarios.flatMap(casesOf).filter(({ name }) => name.includes("refused deletes"));
  await runScenario(scenario as Scenario, world.resolves);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
