// The page on this machine that a browser comes back to: one path, one answer, then it is gone. Knows no authorization server.

import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignInError } from "./fault.js";

const path = "/callback";
const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  connection: "close",
};

/** What a browser came back with. */
export type BrowserAnswer = URLSearchParams;

/** Waits for a browser on this machine. */
export class Callback {
  readonly #server: Server;
  readonly #answer: Promise<BrowserAnswer>;
  #expected: string | undefined;
  #settle!: { resolve(answer: BrowserAnswer): void; reject(why: SignInError): void };

  private constructor() {
    this.#answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#answer.catch(() => undefined);
    this.#server = createServer((request, response) => this.#receive(request, response));
  }

  /** Opens the page at a port, or at any when none is given; undefined when somebody else has that port. */
  static async open(port: number | undefined): Promise<Callback | undefined> {
    const callback = new Callback();
    try {
      await new Promise<void>((resolve, reject) => {
        callback.#server.once("error", reject).listen(port ?? 0, "127.0.0.1", resolve);
      });
      return callback;
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (port === undefined || (code !== "EADDRINUSE" && code !== "EACCES")) throw thrown;
      return undefined;
    }
  }

  /** Where the browser is to come back to. */
  get address(): string {
    return `http://${this.#host}${path}`;
  }

  /** What it comes back with; `state` is what it must bring. */
  async answer(state: string, signal: AbortSignal): Promise<BrowserAnswer> {
    this.#expected = state;
    const stop = () => this.#settle.reject(new SignInError("sign_in_needed", "nobody signed in"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.#answer;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.address);
    const strange = strangeness(request, url, this.#host);
    if (strange) {
      end(response, ...strange);
      return;
    }
    const state = url.searchParams.get("state");
    if (this.#expected === undefined || state === null || !isSame(state, this.#expected)) {
      end(response, 400, "This is not the sign-in that was waited for. Please start again.");
      this.#settle.reject(
        new SignInError("sign_in_refused", "the browser came back from another sign-in (`state` differs)"),
      );
      return;
    }
    end(response, 200, "You can close this window.");
    this.#settle.resolve(url.searchParams);
  }
}

/** What is wrong with a request, if it is not the one that is waited for. */
function strangeness(
  { method, headers }: IncomingMessage,
  url: URL,
  host: string,
): [number, string] | undefined {
  // Another host in there is a page of somebody else's, whose name leads here.
  if (headers.host !== host) return [421, "This is not the page that was asked for."];
  if (url.pathname !== path) return [404, "There is nothing here."];
  return method === "GET" ? undefined : [405, "This page is only read."];
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function end(response: ServerResponse, status: number, words: string): void {
  response
    .writeHead(status, headers)
    .end(`<!doctype html><meta charset="utf-8"><title>Honeyguide</title><p>${words}</p>\n`);
}
