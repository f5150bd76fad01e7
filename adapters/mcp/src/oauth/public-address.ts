// Which numbers are addresses of the open internet. Knows no name and no connection.
// Sources: the registries of IANA for special purposes, IPv4 and IPv6.

import { BlockList, isIP } from "node:net";

/** Nobody may be led to these: this network, private, shared, loopback, link-local, of protocols, documentation, relays, tests, multicast, reserved. */
const special4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Within the unicast addresses: of protocols with Teredo and benchmarks, documentation, 6to4. */
const special6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** IPv4 within IPv6: mapped, and translated by NAT64. */
const carriers = ["::ffff:", "64:ff9b::"] as const;

const open = new BlockList();
open.addSubnet("2000::", 3, "ipv6");
const closed = new BlockList();
for (const [net, length] of special6) closed.addSubnet(net, length, "ipv6");
for (const carrier of carriers) {
  open.addSubnet(`${carrier}0.0.0.0`, 96, "ipv6");
  for (const [net, length] of special4) closed.addSubnet(`${carrier}${net}`, 96 + length, "ipv6");
}
for (const [net, length] of special4) closed.addSubnet(net, length, "ipv4");

/** Whether the address is one of the open internet. What is no address is none. */
export function isPublic(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes("%")) return false;
  const kind = isIP(address);
  if (kind === 4) return !closed.check(address, "ipv4");
  return kind === 6 && open.check(address, "ipv6") && !closed.check(address, "ipv6");
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** Whether the address is this machine's own. */
export function isLoopback(address: string): boolean {
  const kind = address.includes("%") ? 0 : isIP(address);
  return kind !== 0 && loopback.check(address, kind === 4 ? "ipv4" : "ipv6");
}
