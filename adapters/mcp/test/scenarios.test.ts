// Every scenario of e2e/mcp/scenarios.json, over its doors, with both of the official packages.

import { readFileSync } from "node:fs";
import * as version2 from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import type { McpSdk } from "../src/index.js";
import { runScenario, type Scenario } from "./scenario-run.js";

const file = new URL("../../../e2e/mcp/scenarios.json", import.meta.url);
const { defaults, scenarios } = JSON.parse(readFileSync(file, "utf8")) as {
  defaults: object;
  scenarios: Scenario[];
};
const version1: McpSdk = { Client, StreamableHTTPClientTransport };

it("there are at least forty scenarios, each named once", () => {
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  expect(scenarios.length).toBeGreaterThanOrEqual(40);
});

// Over stdio the transport is this package's own, whichever the client: one client is enough there.
const ways: [string, string, McpSdk][] = [
  ["2.x over stdio", "stdio", version2],
  ["2.x over http", "http", version2],
  ["1.x over http", "http", version1],
];

describe.concurrent.each(ways)("%s", (_name, door, sdk) => {
  const through = scenarios.filter(({ over }) => over === undefined || over.includes(door));
  it.concurrent.each(through.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    (_title, scenario) => runScenario(scenario, defaults, door, sdk),
  );
});
