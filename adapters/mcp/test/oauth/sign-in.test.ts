// The provider as a transport calls it, where the order of things decides.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { honeyguide } from "honeyguide";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type McpServerConfig, registerMcpServer, registerMcpServers, signIn } from "../../src/index.js";
import { eventually, ScriptedServer } from "../scripted-server.js";
import { browse } from "./browser.js";
import { ProtectedServer } from "./protected-server.js";

let server: ProtectedServer;
let folder: string;
beforeEach(async () => {
  server = await ProtectedServer.start({ local: true });
  folder = mkdtempSync(join(tmpdir(), "honeyguide-sign-in-"));
});
afterEach(() => {
  server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const store = () => join(folder, "credentials.json");
const asking = () =>
  signIn(server.address, {
    store: store(),
    onAddress: (address) => browse(address, "approve", server.port),
  });

/** A request as a transport makes it. */
async function asked(provider: ReturnType<typeof signIn>): Promise<Response> {
  const headers = { authorization: `Bearer ${await provider.token()}` };
  return provider.fetch(server.address, { method: "POST", headers });
}

/** Servers with what a person has signed in for. */
async function signedIn(mcpServers: Record<string, McpServerConfig>) {
  const provider = asking();
  await provider.onUnauthorized({ response: await asked(provider) });
  const hg = honeyguide();
  const config = { mcpServers };
  const registered = await registerMcpServers(hg, config, {
    waitMs: 60_000,
    credentials: ({ url }) => signIn(url, { store: store() }),
  });
  return { hg, ...registered };
}

it("renews nothing for an answer that comes late", async () => {
  const provider = asking();
  await provider.onUnauthorized({ response: await asked(provider) });
  await server.control({ do: "expire" });
  const [one, late] = [await asked(provider), await asked(provider)];
  await provider.onUnauthorized({ response: one });
  const renewed = await provider.token();
  await provider.onUnauthorized({ response: late });
  expect(await provider.token()).toBe(renewed);
  expect(server.requests("token", "refresh_token")).toHaveLength(1);
});

it("renews a token that is refused when nobody tells which it was", async () => {
  const provider = asking();
  await provider.onUnauthorized({ response: await asked(provider) });
  const before = await provider.token();
  await provider.onUnauthorized({ response: new Response(null, { status: 401 }) });
  expect(await provider.token()).not.toBe(before);
});

it("gives the servers of a configuration their credentials, but those that have their own", async () => {
  const { servers, close } = await signedIn({
    stored: { url: server.address },
    own: { url: server.address, headers: { authorization: "Bearer wrong" } },
  });
  expect(servers["stored"]?.status.state).toBe("ready");
  expect(servers["own"]?.status.state).toBe("needs_auth");
  await close();
});

it("makes a call fail, and keeps the tools, while the authorization server is away", async () => {
  const { hg, servers, close } = await signedIn({ s: { url: server.address } });
  await server.control({ do: "expire" });
  await server.control({ do: "faults", faults: { token: { status: 503 } } });
  const failing = hg.tools.invoke("s__look", {});
  await expect(failing).rejects.toMatchObject({ kind: "unavailable", details: { retryable: true } });
  expect(servers["s"]?.status).toMatchObject({ state: "ready", tools: 1 });
  await server.control({ do: "faults", faults: {} });
  expect(await hg.tools.invoke("s__look", {})).toMatchObject({ content: [{ text: "seen" }] });
  await close();
});

it("tells each of many calls at once that a person has to sign in", async () => {
  const { hg, servers, close } = await signedIn({ s: { url: server.address } });
  await server.control({ do: "expire" });
  await server.control({ do: "revoke" });
  const calls = Array.from({ length: 10 }, () => hg.tools.invoke("s__look", {}));
  const ends = await Promise.allSettled(calls);
  const kinds = ends.map((end) => (end.status === "rejected" ? end.reason.kind : "answered"));
  expect(kinds).toEqual(Array(10).fill("needs_auth"));
  expect(server.requests("token", "refresh_token")).toHaveLength(1);
  expect(servers["s"]?.status.state).toBe("needs_auth");
  await close();
});

it("lets a call that was accepted have its answer when another is refused meanwhile", async () => {
  const tools = ["slow", "look"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const does = { slow: { wait: true } };
  const scripted = new ScriptedServer({ tools, does, authorization: "Bearer first" });
  const url = await scripted.listen();
  const hg = honeyguide();
  const headers = { Authorization: "Bearer first" };
  const handle = await registerMcpServer(hg, { name: "s", url, headers });
  const slow = hg.tools.invoke("s__slow", {});
  await eventually(() => scripted.messages("tools/call").length === 1);
  await scripted.control({ do: "allow", authorization: "Bearer second" });
  await expect(hg.tools.invoke("s__look", {})).rejects.toMatchObject({ kind: "needs_auth" });
  await scripted.control({ do: "release" });
  expect(await slow).toMatchObject({ content: [{ text: "released" }] });
  await handle.close();
  await scripted.dispose();
});
