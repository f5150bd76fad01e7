// What can go wrong with signing in, told apart by what helps against it. Knows no request and no file.

/**
 * What went wrong.
 * `sign_in_needed`: no token helps, a person has to sign in. `sign_in_refused`: the person or the authorization server said no.
 * `address_refused`: an address that a server chose leads where it must not. `answer_unusable`: an answer that is none.
 * `unreachable`: the network, silence or an overloaded server; the same may succeed later. `store_unusable`: the file of
 * credentials cannot be used.
 */
export type SignInFaultCode =
  | "sign_in_needed"
  | "sign_in_refused"
  | "address_refused"
  | "answer_unusable"
  | "unreachable"
  | "store_unusable";

/** Why nobody is signed in. Holds no token, no code and nothing of an answer that could be one. */
export class SignInError extends Error {
  override readonly name = "SignInError";

  constructor(
    readonly code: SignInFaultCode,
    message: string,
  ) {
    super(message);
  }
}

/** What went wrong with signing in, when it was that; asked of errors that another copy of this file made, too. */
export function signInCodeOf(thrown: unknown): SignInFaultCode | undefined {
  const { name, code } = (thrown ?? {}) as Partial<SignInError>;
  return name === "SignInError" ? code : undefined;
}

/**
 * The same on its way through the official functions: they take any error but this kind for "there is no such document", and
 * would ask elsewhere.
 */
class PassingFault extends TypeError {
  constructor(readonly fault: SignInError) {
    super(fault.message);
  }
}

/** An error that no official function holds back. */
export function passing(code: SignInFaultCode, message: string): Error {
  return new PassingFault(new SignInError(code, message));
}

/** What a step of the official functions threw, in our words: theirs may hold what a server answered. */
export function signInErrorOf(thrown: unknown, step: string): SignInError {
  if (thrown instanceof PassingFault) return thrown.fault;
  if (thrown instanceof SignInError) return thrown;
  const { name, code, kind, status } = (thrown ?? {}) as Record<string, unknown>;
  if (name === "OAuthError") {
    const word = wordOf(code);
    const isBusy = passingWords.has(word);
    return new SignInError(isBusy ? "unreachable" : "sign_in_refused", `${step}: the answer is \`${word}\``);
  }
  if (name === "RegistrationRejectedError") {
    return new SignInError(
      "sign_in_refused",
      `${step}: the authorization server refused it (HTTP ${status}); a client of your own may be needed`,
    );
  }
  if (name === "IssuerMismatchError") {
    const isMetadata = kind === "metadata";
    return new SignInError(
      isMetadata ? "answer_unusable" : "sign_in_refused",
      `${step}: ${isMetadata ? "the metadata are of" : "the answer came from"} another issuer than the one that was asked`,
    );
  }
  if (name === "InsecureTokenEndpointError") {
    return new SignInError(
      "address_refused",
      `${step}: the token endpoint is not encrypted; nothing was sent there`,
    );
  }
  return new SignInError("answer_unusable", `${step}: the answer cannot be used`);
}

/** The OAuth error that an official function threw, when it is one. */
export function oauthErrorOf(thrown: unknown): string | undefined {
  const { name, code } = (thrown ?? {}) as Record<string, unknown>;
  return name === "OAuthError" ? wordOf(code) : undefined;
}

/** An error code as the protocol has them; anything else could be anything. */
export function wordOf(code: unknown): string {
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? code : "unknown_error";
}

const passingWords = new Set(["server_error", "temporarily_unavailable", "too_many_requests"]);
