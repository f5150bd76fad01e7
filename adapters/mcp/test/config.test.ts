// A configuration of several servers: its variables, its secrets, and each server on its own.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what variables of a configuration look like.

import { honeyguide } from "honeyguide";
import { afterEach, expect, it } from "vitest";
import { idOf } from "../src/definition.js";
import { expand } from "../src/expand.js";
import {
  type McpConfig,
  McpServerError,
  type McpServers,
  partsOf,
  registerMcpServer,
  registerMcpServers,
} from "../src/index.js";
import { redactor } from "../src/redact.js";
import { ManualClock } from "./manual-clock.js";
import { eventually, ScriptedServer } from "./scripted-server.js";

const tools = [{ name: "look", description: "Looks a thing up", inputSchema: { type: "object" } }];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function scripted(script: object = {}): ScriptedServer {
  const server = new ScriptedServer({ tools, ...script });
  closing.push(() => server.dispose());
  return server;
}

async function registered(
  ...[hg, config, options]: Parameters<typeof registerMcpServers>
): Promise<McpServers> {
  const servers = await registerMcpServers(hg, config, options);
  closing.unshift(() => servers.close());
  return servers;
}

it.each([
  ["${A}", "one"],
  ["Bearer ${env:A}", "Bearer one"],
  ["${NONE:-two}", "two"],
  ["${EMPTY:-two}", "two"],
  ["${EMPTY}", ""],
  ["${NONE:-}", ""],
  ["${env:NONE:-http://x:1/y}", "http://x:1/y"],
  ["${A}${A}/$A", "oneone/$A"],
])("%s becomes %s", (written, expanded) => {
  expect(expand(written, { A: "one", EMPTY: "" })).toMatchObject({ value: expanded, missing: [] });
});

it("a missing variable is named with its place, and nothing else is said", () => {
  const written = {
    env: { KEY: "${A}" },
    args: ["-t", "${NOPE}"],
    headers: { Authorization: "${input:token}" },
  };
  expect(expand(written, { A: "secret" }).missing).toEqual([
    { field: "args[1]", variable: "NOPE" },
    { field: "headers.Authorization", variable: "input:token" },
  ]);
});

it("what was written is left as it was", () => {
  const written = { args: ["${A}"] };
  expand(written, { A: "one" });
  expect(written).toEqual({ args: ["${A}"] });
});

it("a secret is kept out of a text, the longer one first, and words are left whole", () => {
  expect(redactor(["secret", "secret-long", "a"])("a secret-long, a secret")).toBe("a ***, a ***");
});

it("a good server is ready although another fails, another hangs and another is written wrong", async () => {
  const good = scripted();
  const hanging = scripted({ starts: ["silent"] });
  const hg = honeyguide();
  const config: McpConfig = {
    mcpServers: {
      good: { ...good.command, env: { TOKEN: "${TOKEN}" } },
      broken: { command: "no-such-program" },
      hanging: hanging.command,
      unset: { url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${TOKEN_2}" } },
      both: { command: "x", url: "https://example.com" },
      file: { url: "file:///etc/passwd" },
      __: { command: "x" },
      off: { command: "no-such-program", disabled: true },
    },
  };
  // The clock stands still: the hanging one is never given up while this test runs.
  const clock = new ManualClock();
  const servers = await registered(hg, config, { environment: { TOKEN: "t0ken" }, clock, waitMs: 0 });
  await eventually(() => servers.servers["good"]?.status.state === "ready");
  await eventually(() => servers.servers["broken"]?.status.state === "failed");
  expect(hg.tools.list().map(({ id }) => id)).toEqual(["good__look"]);
  expect(servers.servers["hanging"]?.status.state).toBe("connecting");
  expect(await hg.recall("looks a thing up")).toMatchObject({ pending: ["hanging"] });
  expect(servers.errors["unset"]?.message).toBe(
    "server `unset`: a variable has no value: `HOST` in url, `TOKEN_2` in headers.Authorization",
  );
  expect(servers.errors["both"]?.message).toContain("one of `transport`, `command` and `url`");
  expect(servers.errors["file"]?.message).toContain("none that starts with http:// or https://");
  expect(Object.keys(servers.errors)).toEqual(["unset", "both", "file", "__"]);
  expect(servers.servers["off"]).toBeUndefined();
});

it("a server that is late is found as soon as it is ready, in the same session", async () => {
  const late = scripted({ starts: ["exit", "ok"] });
  const hg = honeyguide();
  const clock = new ManualClock();
  const servers = await registered(hg, { mcpServers: { late: late.command } }, { clock });
  expect(hg.tools.size).toBe(0);
  await eventually(() => clock.waiting === 1);
  clock.advance(1000);
  await eventually(() => servers.servers["late"]?.status.state === "ready");
  expect((await hg.recall("looks a thing up"))?.tools.groups[0]?.hits[0]?.toolId).toBe("late__look");
});

it("an address where nobody listens says so, and is waited for", async () => {
  const away = scripted();
  const url = await away.listen();
  await away.kill();
  await eventually(() => away.running.length === 0);
  const config = { mcpServers: { away: { url } } };
  const servers = await registered(honeyguide(), config, { clock: new ManualClock() });
  expect(servers.servers["away"]?.status).toMatchObject({
    state: "waiting",
    error: "server `away`: fetch failed (ECONNREFUSED)",
  });
});

it("an expanded value stands in no message, though the server shouts it", async () => {
  const loud = scripted({ starts: ["exit"], earlyStderr: "cannot log in with hunter2hunter2\n" });
  const config = { mcpServers: { loud: { ...loud.command, env: { PASSWORD: "${PASSWORD}" } } } };
  const told: unknown[] = [];
  const servers = await registered(honeyguide(), config, {
    environment: { PASSWORD: "hunter2hunter2" },
    clock: new ManualClock(),
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const said = JSON.stringify([servers.servers["loud"]?.status, servers.servers["loud"]?.diagnostics, told]);
  expect(said).toContain("cannot log in with ***");
  expect(said).not.toContain("hunter2hunter2");
});

it("the credentials of a header reach the server and no message", async () => {
  const guarded = scripted({ authorization: "Bearer s3cret-value" });
  const url = await guarded.listen();
  const headers = { Authorization: "Bearer ${TOKEN}" };
  const config = {
    mcpServers: {
      right: { type: "http", url, headers },
      wrong: { url, headers: { Authorization: "Bearer no" } },
    },
  };
  const servers = await registered(honeyguide(), config, {
    environment: { TOKEN: "s3cret-value" },
    clock: new ManualClock(),
  });
  expect(servers.servers["right"]?.status.state).toBe("ready");
  expect(servers.servers["wrong"]?.status.state).toBe("needs_auth");
});

it.each(["", "a__b", "a_", "__a"])(
  "%j cannot be a server's name, since ids could be read in two ways",
  async (name) => {
    const registering = registerMcpServer(honeyguide(), { name, command: "x" });
    await expect(registering).rejects.toThrow(McpServerError);
  },
);

it("an id tells its server and its tool, whatever the tool is called", () => {
  for (const server of ["s", "my-srv", "a_b", "名"]) {
    for (const tool of ["x", "_x", "__x", "a__b", "a.b", "ns/sub"]) {
      expect(partsOf(idOf(server, tool))).toEqual({ server, tool });
    }
  }
  expect(partsOf("plain")).toBeUndefined();
});

it("two servers with a tool of the same name have two ids, and one name is one server", async () => {
  const [one, two] = [scripted(), scripted()];
  const hg = honeyguide();
  await registered(hg, { mcpServers: { two: two.command, one: one.command } });
  expect(
    hg.tools
      .list()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["one__look", "two__look"]);
  await expect(registerMcpServer(hg, { name: "one", ...one.command })).rejects.toThrow("registered already");
});

it("a tool that the application put in a server's place stays when the server closes", async () => {
  const server = scripted();
  const hg = honeyguide();
  const handle = await registerMcpServer(hg, { name: "s", ...server.command });
  hg.tools.register({ id: "s__look", description: "Ours", execute: () => "ours" });
  await handle.close();
  expect(await hg.tools.invoke("s__look")).toBe("ours");
});

it.each([
  ["command", { command: 5 }],
  ["args", { command: "x", args: "y" }],
  ["args", { command: "x", args: [1] }],
  ["env", { command: "x", env: 5 }],
  ["env", { command: "x", env: { A: {} } }],
  ["headers", { url: "http://127.0.0.1:9", headers: [] }],
])(
  "a configuration with a misshapen `%s` is one server's error, and the others stand",
  async (field, bad) => {
    const config = { mcpServers: { bad, good: { command: "no-such-program", env: { A: null, B: 5 } } } };
    const options = { clock: new ManualClock(), waitMs: 0 };
    const { servers, errors } = await registered(honeyguide(), config as unknown as McpConfig, options);
    expect(errors["bad"]?.message).toContain(`\`${field}\``);
    expect(Object.keys(servers)).toEqual(["good"]);
  },
);
