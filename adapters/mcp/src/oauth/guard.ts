// Judges every address that a server chose: where it leads, and whether it may. Connects to nothing.

import { isIP } from "node:net";
import { passing } from "./fault.js";
import type { Network } from "./network.js";
import { isLoopback, isPublic } from "./public-address.js";

/** An address that may be asked. */
export interface JudgedAddress {
  readonly url: URL;
  /** The host as a name or a number, without brackets. */
  readonly host: string;
  /** What it leads to now: all of it was judged, and nothing else may be connected to. */
  readonly addresses: readonly string[];
}

/** What the addresses of one MCP server are judged by. */
export class Guard {
  readonly #server: URL;
  readonly #allowed = new Set<string>();
  #isPrivate: Promise<boolean> | undefined;

  constructor(
    server: string | URL,
    private readonly network: Network,
  ) {
    this.#server = new URL(String(server));
  }

  /** From now on these hosts, which a person named, may lead to private addresses. */
  allow(hosts: readonly string[] = []): void {
    for (const host of hosts) this.#allowed.add(host.toLowerCase());
  }

  /** Finds out where the server itself is. Called before it has answered anything: later it could say something else. */
  async begin(): Promise<void> {
    await this.#isOwn(hostOf(this.#server)).catch(() => {
      this.#isPrivate = undefined;
    });
  }

  /** Judges an address and what it leads to; throws when it may not be asked. */
  async judge(address: string | URL): Promise<JudgedAddress> {
    const url = new URL(String(address));
    const host = hostOf(url);
    const refuse = (why: string) =>
      passing(
        "address_refused",
        `the server leads to \`${url.origin}\`, which ${why}; nothing was sent there`,
      );
    if (url.protocol !== "https:" && url.protocol !== "http:") {
      const kind = url.protocol.slice(0, -1);
      throw passing(
        "address_refused",
        `the server leads to an address of the kind \`${kind}\`; nothing was sent there`,
      );
    }
    if (url.username !== "" || url.password !== "") throw refuse("holds a user or a password");
    const ours = isLocalName(host) && isLocalName(hostOf(this.#server));
    if (url.protocol !== "https:" && !ours) throw refuse("is not encrypted");
    const addresses = await this.#resolve(host);
    const strange = addresses.find((each) => !isPublic(each));
    if (strange === undefined) return { url, host, addresses };
    const mayBe = ours ? addresses.every(isLoopback) : this.#allowed.has(host) || (await this.#isOwn(host));
    if (!mayBe) throw refuse("is at an address of this machine or of a private network");
    return { url, host, addresses };
  }

  async #resolve(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    // Such a name is this machine, whatever a resolver says.
    if (isLocalName(host)) return ["127.0.0.1", "::1"];
    let addresses: readonly string[];
    try {
      addresses = await this.network.resolve(host);
    } catch {
      throw passing("unreachable", `the name \`${host}\` leads nowhere now`);
    }
    if (addresses.length === 0) throw passing("unreachable", `the name \`${host}\` leads nowhere now`);
    return addresses;
  }

  /** Whether it is the server's own host, which was at private addresses from the first. */
  async #isOwn(host: string): Promise<boolean> {
    const own = hostOf(this.#server);
    if (own !== host) return false;
    this.#isPrivate ??= this.#resolve(own).then((addresses) => !addresses.some(isPublic));
    return this.#isPrivate;
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Whether a host is this machine by what it is called. */
function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || isLoopback(host);
}
