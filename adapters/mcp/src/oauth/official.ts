// The official functions of OAuth, loaded when they are first needed. Knows no server.

import { SignInError } from "./fault.js";

/** The official package, of the line that has the functions. */
export async function loadOAuth() {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw thrown;
    throw new SignInError(
      "sign_in_needed",
      "signing in needs an MCP package that is missing: run npm install @modelcontextprotocol/client",
    );
  }
}

export type OAuth = Awaited<ReturnType<typeof loadOAuth>>;
