// A process of its own with a client of its own: `node caller.mjs ADDRESS STORE CALLS` makes so many calls at once.

import { signIn } from "@honeyguide/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [, , address, store, calls] = process.argv;
const authProvider = signIn(address, { store });
const client = new Client({ name: "caller", version: "1" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(address), { authProvider, fetch: authProvider.fetch }),
);
const call = () => client.callTool({ name: "look", arguments: {} });
const results = await Promise.all(Array.from({ length: Number(calls) }, call));
console.log(`${results.length} ${results[0].content[0].text}`);
await client.close();
