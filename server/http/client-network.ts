import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV6_CLIENT_GROUPS = 4;

/**
 * The network that counts as one client: an IPv4 address, or the /64 network of an IPv6 address,
 * because providers give every customer a whole one.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.parse(address) as ipaddr.IPv6;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts.slice(0, IPV6_CLIENT_GROUPS).join(':');
}
