// The official packages that a gateway needs, loaded when it starts. Knows what to do when they are missing.

import { UsageError } from "./fault.js";

/** What must be installed beside this package. */
export const needed = ["@modelcontextprotocol/client", "@modelcontextprotocol/server"] as const;

/** The official server and its transport. */
export async function loadOfficial() {
  try {
    // The client is loaded by whoever dials first; that it is there should be known before.
    const [server, stdio] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("@modelcontextprotocol/server/stdio"),
      import("@modelcontextprotocol/client"),
    ]);
    return { ...server, ...stdio };
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw thrown;
    throw new UsageError(`the MCP packages are missing: run npm install ${needed.join(" ")}`);
  }
}

export type Official = Awaited<ReturnType<typeof loadOfficial>>;
