// Signs a person in to one server of a configuration, or forgets that. Serves nothing.

import type { McpServerConfig } from "../config.js";
import { readWritten } from "../config.js";
import { McpServerError } from "../fault.js";
import { nearest } from "../nearest.js";
import { SignInError, signInCodeOf } from "../oauth/fault.js";
import { openBrowser } from "../oauth/open-browser.js";
import { StoredSignIn, signOut } from "../oauth/sign-in.js";
import { usualSurroundings } from "../oauth/surroundings.js";
import type { Configuration } from "./configuration.js";
import { UsageError } from "./fault.js";
import { Log } from "./log.js";
import { loadOfficial } from "./official.js";
import { type SignInServer, SignIns } from "./sign-ins.js";

/** How somebody signs in. */
export interface LoginTerms {
  readonly opensBrowser: boolean;
  readonly allowedHosts: readonly string[];
}

/** How long a server may take to say what it wants, in milliseconds. */
const patience = 30_000;

/** Signs in; answers the code to end with. */
export async function login(
  name: string,
  configuration: Configuration,
  { opensBrowser, allowedHosts }: LoginTerms,
): Promise<number> {
  const log = new Log("normal");
  const server = serverOf(name, configuration);
  await loadOfficial();
  const givenUp = new AbortController();
  const stop = () => givenUp.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  const onAddress = async (address: string) => {
    log.whole(`to sign in to \`${name}\`, open ${address}`);
    if (opensBrowser && !(await openBrowser(address)))
      log.warn("no browser could be opened; open it yourself");
  };
  try {
    const refused = await challengeOf(server, givenUp.signal);
    if (refused.ok) {
      log.warn(`server \`${name}\` asks for no credentials`);
      return 0;
    }
    if (refused.status !== 401 && refused.status !== 403) {
      log.fatal(`server \`${name}\` answers with HTTP ${refused.status}`);
      return 1;
    }
    const options = { ...server.own, allowedHosts, onAddress, signal: givenUp.signal };
    await new StoredSignIn(server.url, options, usualSurroundings).ask(refused);
    log.warn(`signed in to \`${name}\``);
    return 0;
  } catch (thrown) {
    if (givenUp.signal.aborted) {
      log.fatal("given up; nothing was stored");
      return 1;
    }
    if (signInCodeOf(thrown) === undefined) throw thrown;
    log.fatal(`server \`${name}\`: ${(thrown as Error).message}`);
    return 1;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, stop);
  }
}

/** Forgets a server; answers the code to end with. */
export async function logout(name: string, configuration: Configuration): Promise<number> {
  const log = new Log("normal");
  const { url } = serverOf(name, configuration);
  try {
    const wasKnown = await signOut(url);
    log.warn(wasKnown ? `signed out of \`${name}\`` : `nobody was signed in to \`${name}\``);
    return 0;
  } catch (thrown) {
    if (signInCodeOf(thrown) === undefined) throw thrown;
    log.fatal((thrown as Error).message);
    return 1;
  }
}

function serverOf(name: string, configuration: Configuration): SignInServer {
  if (!configuration.servers.has(name)) {
    const near = nearest(name, [...configuration.servers.keys()]);
    const hint = near === undefined ? "" : `; did you mean \`${near}\`?`;
    throw new UsageError(`server \`${name}\` is not in the configuration${hint}`);
  }
  const server = new SignIns(configuration).get(name);
  if (!server) {
    const fault = faultOf(name, configuration);
    if (fault !== undefined) throw new UsageError(fault);
    throw new UsageError(
      `server \`${name}\` is none to sign in to: it needs a \`url\`, and no \`Authorization\` in its \`headers\``,
    );
  }
  return server;
}

/** Why the entry of a server cannot be used at all. */
function faultOf(name: string, { servers }: Configuration): string | undefined {
  try {
    readWritten(name, servers.get(name) as McpServerConfig, process.env);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof McpServerError) return thrown.message;
    throw thrown;
  }
}

/** What the server says to somebody without credentials. */
async function challengeOf({ url, headers }: SignInServer, givenUp: AbortSignal): Promise<Response> {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "honeyguide", version: "0" },
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
    redirect: "manual",
    signal: AbortSignal.any([givenUp, AbortSignal.timeout(patience)]),
  }).catch((thrown: unknown) => {
    throw new SignInError(
      "unreachable",
      `\`${new URL(url).origin}\` cannot be reached now (${reasonOf(thrown)})`,
    );
  });
  await response.body?.cancel();
  return response;
}

/** Why nothing came back; not in the words of others, which repeat the address with all that it holds. */
function reasonOf(thrown: unknown): string {
  const { name, cause } = thrown as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  if (typeof code === "string") return code;
  return name === "TimeoutError" ? "it took too long to answer" : "the request failed";
}
