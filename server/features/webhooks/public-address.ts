import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** The only public range of IPv6 (IANA, IPv6 Global Unicast Address Assignments). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** IPv4 addresses in IPv6-only networks (RFC 6052). */
const TRANSLATED = ipaddr.parseCIDR('64:ff9b::/96');
/** In Azure, this public address is the host of a virtual machine, with its certificates. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether an IP address belongs to the public Internet: not loopback, private, link-local (metadata
 * of clouds), carrier-grade NAT, multicast, reserved, for documentation, or IPv6 around such an
 * IPv4 address. False for anything but an address in its usual spelling.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicV4(ipaddr.IPv4.parse(address));
  // A zone names a network interface of this machine.
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false;
  // The library misreads the unroutable ::8.8.8.8 as ::ffff:8.8.8.8 unless it is written without
  // dots.
  const withoutDots = new URL(`http://[${address}]`).hostname.slice(1, -1);
  return isPublicV6(ipaddr.IPv6.parse(withoutDots));
}

function isPublicV4(address: IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

function isPublicV6(address: IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  if (address.match(TRANSLATED)) return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
