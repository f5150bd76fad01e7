// The official functions of OAuth, loaded when they are first needed. Knows no server.

import { SignInError } from "./fault.js";

/** Not written where it is imported: a bundler would look for it, and an application that signs in to nothing may not have it. */
const version2: string = "@modelcontextprotocol/client";

/** The official package, of the line that has the functions. */
export async function loadOAuth(): Promise<OAuth> {
  try {
    return await import(version2);
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw thrown;
    throw new SignInError(
      "sign_in_needed",
      "signing in needs an MCP package that is missing: run npm install @modelcontextprotocol/client",
    );
  }
}

export type OAuth = typeof import("@modelcontextprotocol/client");
