// Makes the transport that an address asks for. Knows no protocol.

import { McpServerError } from "./fault.js";
import type { McpServerAddress } from "./options.js";
import type { McpSdk, McpTransport } from "./sdk.js";
import { environmentOf, StdioTransport } from "./stdio.js";

/** Makes one transport for each connection. */
export interface Dial {
  (): Promise<McpTransport>;
  /** Whether there can be a second one. */
  readonly again: boolean;
}

/** How the server is dialled. Says what is wrong with an address that is none. */
export function dialOf(server: string, address: McpServerAddress, sdk: () => Promise<McpSdk>): Dial {
  const { transport, command, url } = address;
  const given = [transport, command, url].filter((way) => way !== undefined);
  if (given.length !== 1) {
    const message = `server \`${server}\` needs one of \`transport\`, \`command\` and \`url\`, and got ${given.length}`;
    throw new McpServerError(message, "unusable", { server });
  }
  if (typeof transport === "function") return Object.assign(async () => transport(), { again: true });
  if (transport !== undefined) return Object.assign(async () => transport, { again: false });
  if (command !== undefined) {
    return Object.assign(async () => stdio(server, { ...address, command }, sdk), { again: true });
  }
  // Said at once, since no time and no retry mends it.
  if (!URL.canParse(String(url)) || !/^https?:$/.test(new URL(String(url)).protocol)) {
    const message = `the url of server \`${server}\` is none that starts with http:// or https://`;
    throw new McpServerError(message, "unusable", { server });
  }
  return Object.assign(async () => http(server, address, await sdk()), { again: true });
}

async function stdio(
  server: string,
  address: McpServerAddress & { command: string },
  sdk: () => Promise<McpSdk>,
): Promise<McpTransport> {
  if (process.platform !== "win32") return new StdioTransport(server, address);
  // There are no process groups and no shell to guard one; the official transport finds `.cmd` files there.
  const { StdioClientTransport } = await sdk();
  if (!StdioClientTransport) throw missing(server, "StdioClientTransport");
  const { command, args = [], env, cwd } = address;
  return new StdioClientTransport({ command, args: [...args], env: environmentOf(env), cwd });
}

function http(
  server: string,
  { url, headers, authProvider, fetch }: McpServerAddress,
  { StreamableHTTPClientTransport }: McpSdk,
): McpTransport {
  if (!StreamableHTTPClientTransport) throw missing(server, "StreamableHTTPClientTransport");
  // One of ours tells by its `fetch` which token was refused.
  const { fetch: telling } = (authProvider ?? {}) as { fetch?: unknown };
  return new StreamableHTTPClientTransport(new URL(String(url)), {
    requestInit: { headers: { ...headers } },
    authProvider,
    fetch: fetch ?? telling,
  });
}

function missing(server: string, part: string): McpServerError {
  return new McpServerError(`\`sdk\` has no \`${part}\`, which server \`${server}\` needs`, "unusable", {
    server,
  });
}
