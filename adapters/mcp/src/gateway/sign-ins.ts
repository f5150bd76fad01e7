// The servers of a configuration that a person signs in to: their credentials, what to do without, and whether somebody signed
// in meanwhile. Knows no catalog.

import type { McpServerConfig } from "../config.js";
import { hasAuthorization, readWritten } from "../config.js";
import { McpServerError } from "../fault.js";
import { canonicalAddress } from "../oauth/canonical-address.js";
import { type SignInOptions, type SignInProvider, signIn } from "../oauth/sign-in.js";
import { CredentialStore } from "../oauth/store.js";
import type { Configuration } from "./configuration.js";
import { visible } from "./harmless.js";

/** What a person can do for a server that takes no sign-in. */
const byHand = "put them into its `headers`, or have a program that signs in as its `command`";

/** A server that may be signed in to. */
export interface SignInServer {
  readonly url: string;
  /** Of one's own, without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** What its entry says of signing in. */
  readonly own: Pick<SignInOptions, "clientId" | "clientSecret" | "port" | "scopes">;
}

/** The servers by name. */
export class SignIns {
  readonly #store = new CredentialStore();
  readonly #servers = new Map<string, SignInServer>();
  /** The generation that was stored when a server was last tried. */
  readonly #seen = new Map<string, number | undefined>();

  constructor(private readonly configuration: Pick<Configuration, "servers" | "origin">) {
    for (const [name, written] of configuration.servers) {
      const server = signInServer(name, written);
      if (!server) continue;
      this.#servers.set(name, server);
      this.#seen.set(name, this.#generation(server));
    }
  }

  get(name: string): SignInServer | undefined {
    return this.#servers.get(name);
  }

  /** Stored credentials, which ask nobody. */
  readonly credentials = ({ url }: { readonly url: string }): SignInProvider => signIn(url);

  /** What a person can do for a server that wants credentials. */
  hint(name: string): string {
    if (!this.#servers.has(name)) return byHand;
    const file = this.configuration.origin.get(name) ?? "FILE";
    return `run \`honeyguide mcp login ${word(name)} --config ${word(file)}\`, or put them into its \`headers\``;
  }

  /** Which of these servers have other credentials stored than when this was last asked. */
  changed(names: readonly string[]): string[] {
    return names.filter((name) => {
      const server = this.#servers.get(name);
      if (!server) return false;
      const generation = this.#generation(server);
      if (generation === this.#seen.get(name)) return false;
      this.#seen.set(name, generation);
      return true;
    });
  }

  #generation({ url }: SignInServer): number | undefined {
    try {
      return this.#store.read(canonicalAddress(url))?.generation;
    } catch {
      // A file that cannot be used is as one that did not change: the server says so when it is tried.
      return undefined;
    }
  }
}

/** The server as one that is signed in to; undefined when it is none. */
function signInServer(name: string, written: McpServerConfig): SignInServer | undefined {
  try {
    const { value } = readWritten(name, written, process.env);
    const { url, command, headers, oauth } = value;
    if (url === undefined || command !== undefined || hasAuthorization(headers)) return undefined;
    const { protocol, username, password } = new URL(url);
    if (!/^https?:$/.test(protocol) || username !== "" || password !== "") return undefined;
    return { url, headers: headers ?? {}, own: ownOf(oauth) };
  } catch (thrown) {
    // Whoever starts the server says what is wrong with it.
    if (thrown instanceof McpServerError || thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/** A word of a command line that stands between back-ticks. */
function word(text: string): string {
  const shown = visible(text).replaceAll("`", "'");
  return /\s/.test(shown) ? `"${shown}"` : shown;
}

/** The part that clients write below `oauth`, as far as it is what it should be. */
function ownOf(oauth: unknown): SignInServer["own"] {
  const { clientId, clientSecret, callbackPort, scopes } = (oauth ?? {}) as Readonly<Record<string, unknown>>;
  const isPort =
    Number.isInteger(callbackPort) && (callbackPort as number) > 0 && (callbackPort as number) < 65_536;
  return {
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof clientSecret === "string" && { clientSecret }),
    ...(isPort && { port: callbackPort as number }),
    ...(Array.isArray(scopes) && scopes.every((scope) => typeof scope === "string") && { scopes }),
  };
}
