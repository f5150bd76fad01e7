// Trades a refresh token for new tokens: once for all processes that share the store, and never to anybody but who gave it.
// Knows no browser and no MCP.

import { oauthErrorOf, SignInError, signInErrorOf } from "./fault.js";
import type { Guard } from "./guard.js";
import { guardedFetch } from "./guarded-fetch.js";
import { loadOAuth } from "./official.js";
import { type CredentialStore, type StoredServer, withTokens } from "./store.js";
import type { Surroundings } from "./surroundings.js";
import { keptTokens } from "./tokens.js";

/** Whose tokens are renewed, and with what. */
export interface Renewal {
  /** The canonical address. */
  readonly server: string;
  readonly store: CredentialStore;
  readonly guard: Guard;
  readonly surroundings: Surroundings;
}

/**
 * Sees to it that another token than `stale` is stored. Throws `sign_in_needed` when only a person can; any other error leaves
 * everything as it was.
 */
export async function renew(renewal: Renewal, stale: string | undefined): Promise<void> {
  const { server, store } = renewal;
  // Without waiting for anybody, when there is nothing to wait for.
  if (isThere(server, store.read(server), stale)) return;
  await store.alone(server, async () => {
    const known = store.read(server);
    if (!isThere(server, known, stale)) await trade(renewal, known as StoredServer);
  });
}

/** Why a person is needed. */
export function needed(server: string, why: string): SignInError {
  return new SignInError("sign_in_needed", `\`${server}\`: a person has to sign in, ${why}`);
}

/** Whether there is another token; throws when there is none at all. */
function isThere(server: string, known: StoredServer | undefined, stale: string | undefined): boolean {
  if (!known?.tokens) throw needed(server, "since nobody has");
  return known.tokens.access_token !== stale;
}

async function trade({ server, store, guard, surroundings }: Renewal, known: StoredServer): Promise<void> {
  const { tokens, client, issuer, resource, generation } = known;
  if (!tokens?.refresh_token || !client || !issuer) {
    throw needed(server, "since the server refused the token and gave none to renew it with");
  }
  guard.allow(known.allowedHosts);
  const fetchFn = guardedFetch(guard, surroundings.network, surroundings.limits);
  const official = await loadOAuth();
  const unchanged = (now: StoredServer | undefined) => now?.generation === generation;
  try {
    const metadata = await official.discoverAuthorizationServerMetadata(issuer, { fetchFn });
    const given = await official.refreshAuthorization(issuer, {
      ...(metadata && { metadata }),
      clientInformation: client as { client_id: string },
      refreshToken: tokens.refresh_token,
      ...(resource !== undefined && { resource }),
      fetchFn,
    });
    const fresh = keptTokens(given, surroundings.now(), `\`${server}\`: a new token`, tokens);
    // Somebody who signed in meanwhile knows better.
    await store.update(server, (now) => (unchanged(now) ? withTokens(now, fresh) : now));
  } catch (thrown) {
    const refused = oauthErrorOf(thrown);
    if (refused === undefined || !final.has(refused))
      throw signInErrorOf(thrown, `\`${server}\`: a new token`);
    const left = await store.update(server, (now) => {
      if (!unchanged(now)) return now;
      const { client: forgotten, ...rest } = withTokens(now, undefined);
      return refused === "invalid_grant" && forgotten ? { ...rest, client: forgotten } : rest;
    });
    if (!left?.tokens)
      throw needed(server, `since the authorization server takes the old sign-in no more (${refused})`);
  }
}

/** What no repetition helps against. */
const final = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);
