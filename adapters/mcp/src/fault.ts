// What can go wrong with a server, told apart by what helps against it. Knows no state and no timer.

import { type SignInFaultCode, signInCodeOf } from "./oauth/fault.js";

/**
 * What went wrong.
 * `lost`: the connection or its session is gone. `needs_auth`: only other credentials help. `rate_limited`: the server asked
 * to be left alone. `timeout`: silence, or the hard maximum. `unavailable`: there is no connection now. `refused`: the
 * server answered with a JSON-RPC error. `unusable`: it cannot be started, or speaks no MCP. `failed`: anything else.
 */
export type FaultKind =
  | "lost"
  | "needs_auth"
  | "rate_limited"
  | "timeout"
  | "unavailable"
  | "refused"
  | "unusable"
  | "failed";

/** What went wrong with an MCP server. */
export class McpServerError extends Error {
  override readonly name = "McpServerError";

  constructor(
    message: string,
    readonly kind: FaultKind,
    readonly details: {
      /** The server's name. */
      readonly server: string;
      /** The tool that was called, by its name on the server. */
      readonly tool?: string;
      /** The JSON-RPC or HTTP code, when there was one. */
      readonly code?: number;
      /** How long the call had taken, in milliseconds. */
      readonly elapsedMs?: number;
      /** Whether the same call may succeed later. */
      readonly retryable?: boolean;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Tells the errors of both official packages apart, by their fields: neither is imported here. */
export function kindOf(thrown: unknown): FaultKind {
  if (thrown instanceof McpServerError) return thrown.kind;
  const signIn = signInCodeOf(thrown);
  if (signIn !== undefined) return kindOfSignIn[signIn];
  if (isHeaderFault(thrown)) return "unusable";
  const { name, message } = describe(thrown);
  const status = statusOf(thrown);
  if (name === "UnauthorizedError" || name === "InsufficientScopeError" || status === 401 || status === 403)
    return "needs_auth";
  if (status === 404 || status === 410) return "lost";
  if (status === 429) return "rate_limited";
  if (status !== undefined) return "failed";
  const code = codeOf(thrown);
  if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED" || code === closedInVersion1) return "lost";
  if (typeof code === "number" && code < 0) return "refused";
  if (lostText.test(message)) return "lost";
  const { cause } = (thrown ?? {}) as { cause?: unknown };
  if (networkCodes.has(String(code)) || networkCodes.has(String(codeOf(cause)))) return "lost";
  return message.startsWith("fetch failed") ? "lost" : "failed";
}

/** What only a new sign-in helps against waits for one; everything else may be mended by the next attempt. */
const kindOfSignIn: Readonly<Record<SignInFaultCode, FaultKind>> = {
  sign_in_needed: "needs_auth",
  sign_in_refused: "needs_auth",
  address_refused: "failed",
  answer_unusable: "failed",
  unreachable: "unavailable",
  store_unusable: "failed",
};

/** The number that says what went wrong: an HTTP status or a JSON-RPC code. */
export function numberOf(thrown: unknown): number | undefined {
  const code = statusOf(thrown) ?? codeOf(thrown);
  return typeof code === "number" ? code : undefined;
}

/** The words of whatever was thrown. */
export function describe(thrown: unknown): { name: string; message: string } {
  if (isHeaderFault(thrown))
    return { name: "TypeError", message: "a header has a value that cannot be sent" };
  if (thrown instanceof Error) {
    // `fetch failed` says nothing; what it failed of stands in its cause.
    const cause =
      thrown.message === "fetch failed" && thrown.cause instanceof Error ? thrown.cause : undefined;
    const message = cause ? `${thrown.message} (${codeOf(cause) ?? cause.message})` : thrown.message;
    return { name: thrown.constructor.name, message };
  }
  return { name: "Error", message: String(thrown) };
}

/** Whether a request could not be made for the value of one of its headers: the runtime's words repeat that value, which is a secret. */
export function isHeaderFault(thrown: unknown): boolean {
  let error = thrown;
  // An error may be its own cause, by whatever way.
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    // The runtime's own kind: a server may use the same words of something else.
    const isOwn = error instanceof TypeError;
    if (isOwn && /invalid header value|to a ByteString/i.test(error.message)) return true;
    error = error.cause;
  }
  return false;
}

/** What `McpError` of 1.x says of a connection that closed under a request. */
const closedInVersion1 = -32000;
const lostText = /not connected|connection closed|write after end|socket hang up|other side closed/i;
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "UND_ERR_SOCKET",
  "ERR_STREAM_DESTROYED",
]);

function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown } | null | undefined)?.code;
}

function statusOf(thrown: unknown): number | undefined {
  const { status } = (thrown ?? {}) as { status?: unknown };
  // 1.x has the status as the code of its error.
  for (const value of [status, codeOf(thrown)]) {
    if (typeof value === "number" && value >= 100 && value < 600) return value;
  }
  return undefined;
}
