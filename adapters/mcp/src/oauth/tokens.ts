// Tokens as a server gives them, as they are kept. Knows no request and no file.

import { SignInError } from "./fault.js";
import type { StoredTokens } from "./store.js";

/** What the official functions answer. */
interface GivenTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  /** Seconds from now. */
  readonly expires_in?: number | undefined;
}

/** How long before its end a token is not used any more, in seconds: a request takes its time. */
const margin = 5;

/** Whether a token can stand in a header: whatever else it holds, no request would take it, and errors of it would show it. */
export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** The tokens as they are kept; a scope that a refresh does not say again stays, as its refresh token did already. */
export function keptTokens(
  given: GivenTokens,
  now: number,
  step: string,
  before?: StoredTokens,
): StoredTokens {
  const { access_token, token_type, refresh_token, expires_in } = given;
  if (!isSendable(access_token)) {
    throw new SignInError("answer_unusable", `${step}: the server gave a token that cannot be sent`);
  }
  const scope = given.scope ?? before?.scope;
  return {
    access_token,
    token_type,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(expires_in !== undefined && { expires_at: now + Math.floor(expires_in) }),
  };
}

/** Whether a token is known to be over. */
export function isOver({ expires_at }: StoredTokens, now: number): boolean {
  return typeof expires_at === "number" && now >= expires_at - margin;
}
