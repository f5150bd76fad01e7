// Asks a person to sign in, from the first document of the server to the tokens in the store, with the official functions.
// Opens no browser itself.

import { randomBytes } from "node:crypto";
import { Callback } from "./callback.js";
import { SignInError, signInErrorOf, wordOf } from "./fault.js";
import { guardedFetch } from "./guarded-fetch.js";
import { loadOAuth, type OAuth } from "./official.js";
import type { Renewal } from "./renew.js";
import { type StoredClient, type StoredServer, withTokens } from "./store.js";
import { keptTokens } from "./tokens.js";

/** How somebody is asked. */
export interface PersonOptions {
  /** Shows the address to a person, or opens it in a browser. */
  onAddress(address: string): void | Promise<void>;
  /** What the person is told who wants in (default `Honeyguide`). */
  readonly clientName?: string | undefined;
  /** What is asked for (default: what the server names). */
  readonly scopes?: readonly string[] | undefined;
  /** A client of one's own, for servers that register none. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The port that the browser comes back to (default: the one that was registered, or any). */
  readonly port?: number | undefined;
  /** Names of authorization servers that may be at private addresses. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** What the server said when it refused a request. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
}

/** How long a person may take, in milliseconds. */
const longestWait = 600_000;

/** Has a person sign in, and stores what comes of it. */
export async function authorize(
  { server, store, guard, surroundings }: Renewal,
  options: PersonOptions,
  challenge: Challenge,
): Promise<void> {
  const { network, limits, now } = surroundings;
  guard.allow(options.allowedHosts);
  await guard.begin();
  const fetchFn = guardedFetch(guard, network, limits);
  const official = await loadOAuth();
  const place = await discovered(official, server, challenge, fetchFn);
  const { issuer, metadata, resource } = place;
  const known = options.clientId === undefined ? reusable(store.read(server), issuer, now()) : undefined;
  const { callback, client: kept } = await opened(known, options.port);
  try {
    const scope = scopeOf(place, options, challenge);
    const client =
      ownClient(options) ??
      kept ??
      (await registered(official, place, callback.address, options, scope, fetchFn));
    const state = randomBytes(32).toString("base64url");
    const { authorizationUrl, codeVerifier } = await step("the address of the sign-in", () =>
      official.startAuthorization(issuer, {
        ...(metadata && { metadata }),
        clientInformation: client as { client_id: string },
        redirectUrl: callback.address,
        ...(scope !== undefined && { scope }),
        state,
        resource,
      }),
    );
    await step("the address of the sign-in", () => guard.judge(authorizationUrl));
    const patience = AbortSignal.timeout(longestWait);
    const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
    const coming = callback.answer(state, signal);
    coming.catch(() => undefined);
    await options.onAddress(authorizationUrl.href);
    const answer = await coming;
    const iss = answer.get("iss") ?? undefined;
    const code = await step("the sign-in", () => codeOf(official, place, answer, iss));
    const given = await step("the tokens", () =>
      official.exchangeAuthorization(issuer, {
        ...(metadata && { metadata }),
        clientInformation: client as { client_id: string },
        authorizationCode: code,
        ...(iss !== undefined && { iss }),
        codeVerifier,
        redirectUri: callback.address,
        resource,
        fetchFn,
      }),
    );
    const tokens = keptTokens(given, now(), "the tokens");
    // What the person did last holds, whatever was there.
    await store.update(server, (before) => {
      const { allowedHosts: _, ...rest } = withTokens(before, tokens);
      const hosts = options.allowedHosts?.length ? { allowedHosts: options.allowedHosts } : {};
      return { ...rest, issuer, resource, ...hosts, client };
    });
  } finally {
    callback.close();
  }
}

type FetchFn = ReturnType<typeof guardedFetch>;
type Metadata = NonNullable<Awaited<ReturnType<OAuth["discoverAuthorizationServerMetadata"]>>>;

/** Where one signs in, and to what. */
interface Place {
  readonly issuer: string;
  readonly metadata: Metadata | undefined;
  /** As the server writes it, or the canonical address. */
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
}

function discovered(
  official: OAuth,
  server: string,
  { resourceMetadataUrl }: Challenge,
  fetchFn: FetchFn,
): Promise<Place> {
  return step("where to sign in", async () => {
    const info = await official.discoverOAuthServerInfo(server, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn,
    });
    const { authorizationServerMetadata: metadata, resourceMetadata } = info;
    // Throws when it is another's. No provider of ours has a say in it.
    await official.selectResourceURL(server, {} as never, resourceMetadata);
    return {
      issuer: metadata?.issuer ?? info.authorizationServerUrl,
      metadata,
      resource: resourceMetadata?.resource ?? server,
      scopes: resourceMetadata?.scopes_supported,
    };
  });
}

function scopeOf(
  { metadata, scopes }: Place,
  options: PersonOptions,
  challenge: Challenge,
): string | undefined {
  const scope = options.scopes?.join(" ") ?? challenge.scope ?? scopes?.join(" ");
  if (!scope) return undefined;
  // Without it, some servers give nothing to renew a token with.
  const lasting = "offline_access";
  const isOffered = metadata?.scopes_supported?.includes(lasting) === true;
  return isOffered && !scope.split(" ").includes(lasting) ? `${scope} ${lasting}` : scope;
}

/** The client that this issuer registered before, when it may still be used. */
function reusable(known: StoredServer | undefined, issuer: string, now: number): StoredClient | undefined {
  if (!known?.client || known.issuer !== issuer) return undefined;
  const ends = Number(known.client["client_secret_expires_at"] ?? 0);
  return ends > 0 && ends <= now ? undefined : known.client;
}

/** The page that the browser comes back to: where the client was registered for, when that can be had. */
async function opened(
  client: StoredClient | undefined,
  port: number | undefined,
): Promise<{ callback: Callback; client?: StoredClient }> {
  if (port !== undefined) {
    const callback = await Callback.open(port);
    if (!callback) throw new SignInError("unreachable", `port ${port} is another program's now`);
    return { callback, ...(client?.redirect_uris?.includes(callback.address) && { client }) };
  }
  const [before] = client?.redirect_uris ?? [];
  if (client && before !== undefined && URL.canParse(before)) {
    const callback = await Callback.open(Number(new URL(before).port));
    if (callback?.address === before) return { callback, client };
    callback?.close();
  }
  return { callback: (await Callback.open(undefined)) as Callback };
}

function ownClient({ clientId, clientSecret }: PersonOptions): StoredClient | undefined {
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}

async function registered(
  official: OAuth,
  { issuer, metadata }: Place,
  redirect: string,
  { clientName = "Honeyguide" }: PersonOptions,
  scope: string | undefined,
  fetchFn: FetchFn,
): Promise<StoredClient> {
  if (metadata && metadata.registration_endpoint === undefined) {
    throw new SignInError(
      "sign_in_refused",
      `\`${issuer}\` registers no clients: make one there, with the address http://127.0.0.1/callback, and name its id`,
    );
  }
  const client = await step("the registration", () =>
    official.registerClient(issuer, {
      ...(metadata && { metadata }),
      clientMetadata: {
        client_name: clientName,
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
      ...(scope !== undefined && { scope }),
      fetchFn,
    }),
  );
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = client;
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(client_secret_expires_at !== undefined && { client_secret_expires_at }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    redirect_uris: [redirect],
  };
}

/** The code of an answer that came from the issuer; or what the issuer says in its place. */
async function codeOf(
  official: OAuth,
  { metadata }: Place,
  answer: URLSearchParams,
  iss: string | undefined,
): Promise<string> {
  official.validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = answer.get("error");
  if (error !== null)
    throw new SignInError("sign_in_refused", `the sign-in was refused (\`${wordOf(error)}\`)`);
  const code = answer.get("code");
  if (!code) throw new SignInError("sign_in_refused", "the browser came back without a code");
  return code;
}

/** A step, whose errors say which it was. */
async function step<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    throw signInErrorOf(thrown, name);
  }
}
