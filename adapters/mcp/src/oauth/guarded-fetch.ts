// Fetches what the official functions ask for, within the limits of an answer, from addresses that were judged. Knows no OAuth.

import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { passing, SignInError } from "./fault.js";
import type { Guard, JudgedAddress } from "./guard.js";
import type { Network } from "./network.js";

/** How long an answer may take with all that leads to it, in milliseconds, and how large it may be, in bytes. */
export interface Limits {
  readonly timeMs: number;
  readonly bytes: number;
}

export const usualLimits: Limits = { timeMs: 10_000, bytes: 1_000_000 };

/** How many redirects a document may be behind. Nothing is sent twice. */
const mostRedirects = 3;

/** What is asked of `fetch`. */
interface Asked {
  readonly method?: string;
  readonly headers?: RequestInit["headers"];
  readonly body?: unknown;
}

/** A `fetch` for discovery, registration and tokens. */
export function guardedFetch(guard: Guard, network: Network, limits: Limits) {
  return async (address: string | URL, asked: Asked = {}): Promise<Response> => {
    const method = (asked.method ?? "GET").toUpperCase();
    const signal = AbortSignal.timeout(limits.timeMs);
    let next = String(address);
    for (let followed = 0; ; followed++) {
      const judged = await until(signal, guard.judge(next));
      const { status, location, response } = await exchange(judged, method, asked, network, limits, signal);
      if (location === undefined) return response;
      const where = `\`${judged.url.origin}\` answers with a redirect (HTTP ${status})`;
      if (method !== "GET") throw new SignInError("answer_unusable", `${where}, which is not followed`);
      if (followed === mostRedirects) {
        throw new SignInError("answer_unusable", `${where} after ${mostRedirects} others`);
      }
      if (!URL.canParse(location, judged.url.href))
        throw new SignInError("answer_unusable", `${where} to nowhere`);
      next = new URL(location, judged.url).href;
    }
  };
}

interface Exchanged {
  readonly status: number;
  readonly location: string | undefined;
  readonly response: Response;
}

/** One request and its answer, whole. */
async function exchange(
  { url, host, addresses }: JudgedAddress,
  method: string,
  { headers, body }: Asked,
  network: Network,
  limits: Limits,
  signal: AbortSignal,
): Promise<Exchanged> {
  const secure = url.protocol === "https:";
  const port = Number(url.port) || (secure ? 443 : 80);
  let socket: Socket | undefined;
  try {
    socket = await until(signal, network.connect({ host, addresses, port, secure, signal }));
    const sent = body === undefined || body === null ? undefined : String(body);
    const incoming = await send(socket, url, method, new Headers(headers), sent, signal);
    const status = incoming.statusCode ?? 0;
    // The official functions take 502 for "not here", as proxies say it.
    if (status === 429 || (status >= 500 && status !== 502)) {
      throw passing("unreachable", `\`${url.origin}\` cannot answer now (HTTP ${status})`);
    }
    const { location } = incoming.headers;
    const isRedirect = status >= 300 && status < 400;
    const text = isRedirect ? "" : await read(incoming, url, limits);
    const type = incoming.headers["content-type"] ?? "";
    return {
      status,
      location: isRedirect ? (location ?? "") : undefined,
      response: answerOf(status, type, text, url),
    };
  } catch (thrown) {
    if (thrown instanceof SignInError || thrown instanceof TypeError) throw thrown;
    throw passing("unreachable", `\`${url.origin}\` cannot be reached now (${reasonOf(thrown, signal)})`);
  } finally {
    socket?.destroy();
  }
}

function send(
  socket: Socket,
  url: URL,
  method: string,
  headers: Headers,
  body: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const all = Object.fromEntries(headers);
  all["accept"] ??= "application/json";
  all["user-agent"] ??= "honeyguide";
  if (body !== undefined) all["content-length"] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const sending = request({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...all, host: url.host, connection: "close" },
      signal,
    });
    sending.on("response", resolve).on("error", reject).end(body);
  });
}

async function read(incoming: IncomingMessage, url: URL, { bytes }: Limits): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    size += part.length;
    if (size > bytes) {
      throw new SignInError(
        "answer_unusable",
        `the answer of \`${url.origin}\` is larger than ${bytes} bytes`,
      );
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The answer as the official functions read it: JSON, or the status alone. */
function answerOf(status: number, type: string, text: string, { origin }: URL): Response {
  const isGood = status >= 200 && status < 300;
  if (isJson(type, text)) {
    return new Response(text, { status, headers: { "content-type": "application/json" } });
  }
  if (isGood) throw new SignInError("answer_unusable", `the answer of \`${origin}\` is not JSON`);
  return new Response("{}", { status: status >= 400 && status < 600 ? status : 502 });
}

function isJson(type: string, text: string): boolean {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** The work, or the end of the time: not everything that waits can be told to stop. */
async function until<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(passing("unreachable", "it took too long to answer"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => undefined);
  }
}

function reasonOf(thrown: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "it took too long to answer";
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "the connection broke";
}
