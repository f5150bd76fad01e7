// The credentials of one MCP server, as a transport of the official package asks for them. Knows no step of a sign-in.

import { authorize, type Challenge, type PersonOptions } from "./authorize.js";
import { canonicalAddress } from "./canonical-address.js";
import { signInCodeOf } from "./fault.js";
import { Guard } from "./guard.js";
import { loadOAuth } from "./official.js";
import { needed, type Renewal, renew } from "./renew.js";
import { CredentialStore, withTokens } from "./store.js";
import { type Surroundings, usualSurroundings } from "./surroundings.js";
import { isOver } from "./tokens.js";

/** How a server is signed in to. */
export interface SignInOptions extends Omit<PersonOptions, "onAddress"> {
  /** The file of credentials (default: `credentials.json` in the person's own folder of `honeyguide`). */
  readonly store?: string | undefined;
  /** Shows the address to a person, or opens it in a browser. Without it nobody is asked: a server that nobody signed in to needs credentials. */
  readonly onAddress?: ((address: string) => void | Promise<void>) | undefined;
}

/** What a transport asks: `authProvider` of an address, and of the transports of `@modelcontextprotocol/client`. */
export interface SignInProvider {
  /** The token to send now, renewed first when it is over. */
  token(): Promise<string | undefined>;
  /** Sees to another token after the server has refused one. */
  onUnauthorized(context: { readonly response: Response }): Promise<void>;
  /** The `fetch` of the same transport, which tells which token was refused: late answers renew nothing twice then. */
  readonly fetch: (address: string | URL, init?: RequestInit) => Promise<Response>;
}

/** Credentials for the server at an address: stored ones, renewed when they are over, and a person's if there is one to ask. */
export function signIn(url: string | URL, options: SignInOptions = {}): SignInProvider {
  return new StoredSignIn(url, options, usualSurroundings);
}

/** Forgets what is stored of a server; answers whether somebody was signed in. */
export async function signOut(
  url: string | URL,
  { store }: Pick<SignInOptions, "store"> = {},
): Promise<boolean> {
  const [server, file] = [canonicalAddress(url), new CredentialStore(store)];
  const isKnown = ({ tokens, client }: { tokens?: unknown; client?: unknown } = {}) =>
    tokens !== undefined || client !== undefined;
  if (!isKnown(file.read(server))) return false;
  let wasKnown = false;
  await file.update(server, (known) => {
    wasKnown = isKnown(known);
    return wasKnown ? { generation: withTokens(known, undefined).generation } : known;
  });
  return wasKnown;
}

export class StoredSignIn implements SignInProvider {
  readonly #renewal: Renewal;
  readonly #address: URL;
  /** Which token a refused request had. */
  readonly #refused = new WeakMap<Response, string | undefined>();
  /** What is being done about a token: once for all who wait for it. */
  readonly #running = new Map<string | undefined, Promise<void>>();

  constructor(
    url: string | URL,
    private readonly options: SignInOptions,
    surroundings: Surroundings,
    private readonly innerFetch: (address: string | URL, init?: RequestInit) => Promise<Response> = fetch,
  ) {
    this.#address = new URL(String(url));
    const guard = new Guard(this.#address, surroundings.network);
    guard.allow(options.allowedHosts);
    const store = new CredentialStore(options.store);
    this.#renewal = { server: canonicalAddress(this.#address), store, guard, surroundings };
  }

  async token(): Promise<string | undefined> {
    const { guard, surroundings } = this.#renewal;
    await guard.begin();
    const tokens = this.#stored();
    if (!tokens?.refresh_token || !isOver(tokens, surroundings.now())) return tokens?.access_token;
    try {
      await this.#once(tokens.access_token, () => renew(this.#renewal, tokens.access_token));
    } catch (thrown) {
      // The server is about to say so itself, and then somebody is asked.
      if (this.options.onAddress && isNeeded(thrown)) return undefined;
      throw thrown;
    }
    return this.#stored()?.access_token;
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const stale = this.#refused.has(response) ? this.#refused.get(response) : this.#stored()?.access_token;
    await this.#once(stale, async () => {
      try {
        await renew(this.#renewal, stale);
      } catch (thrown) {
        const { onAddress } = this.options;
        if (!onAddress || !isNeeded(thrown)) throw thrown;
        await authorize(this.#renewal, { ...this.options, onAddress }, await challengeOf(response));
      }
    });
  }

  readonly fetch = async (address: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await this.innerFetch(address, init);
    if (response.status === 401) {
      const sent = new Headers(init?.headers).get("authorization");
      this.#refused.set(response, sent?.replace(/^Bearer /i, ""));
    }
    return response;
  };

  /** Has a person sign in now, whatever is stored. */
  async ask(response: Response | undefined): Promise<void> {
    const { onAddress } = this.options;
    if (!onAddress) throw needed(this.#renewal.server, "and there is none to ask");
    const challenge = response ? await challengeOf(response) : {};
    await authorize(this.#renewal, { ...this.options, onAddress }, challenge);
  }

  /** A store that cannot be used holds nobody up whose server asks for nothing; the others hear of it when they are refused. */
  #stored() {
    try {
      const { store, server } = this.#renewal;
      return store.read(server)?.tokens;
    } catch (thrown) {
      if (signInCodeOf(thrown) !== undefined) return undefined;
      throw thrown;
    }
  }

  #once(stale: string | undefined, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(stale);
    if (running) return running;
    const started = work().finally(() => this.#running.delete(stale));
    this.#running.set(stale, started);
    return started;
  }
}

function isNeeded(thrown: unknown): boolean {
  return signInCodeOf(thrown) === "sign_in_needed";
}

async function challengeOf(response: Response): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await loadOAuth();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl, scope };
}
