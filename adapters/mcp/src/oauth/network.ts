// Names and connections as the system has them; a test has others. Knows no rule.

import { lookup } from "node:dns/promises";
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";

/** Where to connect: to one of the addresses, whatever the name leads to by then. */
export interface Target {
  readonly host: string;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly secure: boolean;
  readonly signal: AbortSignal;
}

/** How names become addresses, and addresses connections. */
export interface Network {
  /** Throws when there is no such name. */
  resolve(host: string): Promise<readonly string[]>;
  /** Resolves once data can be sent; `https` is checked against the name by then. */
  connect(target: Target): Promise<Socket>;
}

export const systemNetwork: Network = networkWith({});

/** The system's network; `ca` is whom certificates are believed from, in place of the usual ones. */
export function networkWith({ ca }: { readonly ca?: string }): Network {
  return { resolve, connect: (target) => connect(target, ca) };
}

async function resolve(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

function connect({ host, addresses, port, secure, signal }: Target, ca: string | undefined): Promise<Socket> {
  // Node tries the addresses one after the other, and asks for no others.
  const pinned: LookupFunction = (_, __, answer) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    answer(null, all);
  };
  const how = { host, port, lookup: pinned, autoSelectFamily: true };
  const socket = secure
    ? connectSecure({
        ...how,
        ...(isIP(host) === 0 && { servername: host }),
        ALPNProtocols: ["http/1.1"],
        ...(ca !== undefined && { ca }),
      })
    : connectPlain(how);
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy(new Error("given up"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    socket.once(secure ? "secureConnect" : "connect", () => {
      signal.removeEventListener("abort", stop);
      resolve(socket);
    });
    // It stays: one that breaks before anybody uses it must not end the program.
    socket.on("error", reject);
  });
}
