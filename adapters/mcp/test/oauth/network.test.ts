// The network of the system: where it connects, and whom it believes.

import { createServer as createPlain } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { signInCodeOf, signInErrorOf } from "../../src/oauth/fault.js";
import { Guard } from "../../src/oauth/guard.js";
import { guardedFetch, usualLimits } from "../../src/oauth/guarded-fetch.js";
import { type Network, networkWith } from "../../src/oauth/network.js";
import { certificate, key } from "./certificate.js";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const answer = (_: unknown, response: { writeHead: typeof writeHead; end(text: string): void }) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end('{"here":true}');
};
declare function writeHead(status: number, headers: object): unknown;

/** Fetches https://auth.example at a port, whose name leads to the address of this machine. */
async function fetched(port: number, network: Network): Promise<unknown> {
  const named = { ...network, resolve: async () => ["127.0.0.1"] };
  const guard = new Guard("https://mcp.example/mcp", named);
  guard.allow(["auth.example"]);
  const response = await guardedFetch(guard, named, usualLimits)(`https://auth.example:${port}/`);
  return response.json();
}

it("takes the certificate of the name, at the address that was judged", async () => {
  const port = await listening(createSecure({ cert: certificate, key }, answer as never));
  expect(await fetched(port, networkWith({ ca: certificate }))).toEqual({ here: true });
});

it("believes no certificate that nobody vouches for", async () => {
  const port = await listening(createSecure({ cert: certificate, key }, answer as never));
  const thrown = await fetched(port, networkWith({})).catch((each: unknown) => each);
  expect(signInCodeOf(signInErrorOf(thrown, ""))).toBe("unreachable");
  expect(String(thrown)).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
});

it("believes no certificate of another name", async () => {
  const port = await listening(createSecure({ cert: certificate, key }, answer as never));
  const network = networkWith({ ca: certificate });
  const guard = new Guard("https://127.0.0.1/mcp", network);
  const fetching = guardedFetch(guard, network, usualLimits)(`https://127.0.0.1:${port}/`);
  await expect(fetching).rejects.toThrow("ERR_TLS_CERT_ALTNAME_INVALID");
});

it("connects to no address but those that were judged, whatever the name leads to", async () => {
  const port = await listening(createPlain(answer as never));
  const { connect } = networkWith({});
  const target = { host: "no-such-name.invalid", addresses: ["127.0.0.1"], port, secure: false };
  const socket = await connect({ ...target, signal: AbortSignal.timeout(60_000) });
  expect(socket.remoteAddress).toBe("127.0.0.1");
  socket.destroy();
});
