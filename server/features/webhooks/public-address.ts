import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** The only part of IPv6 that is handed out to the public (IANA, IPv6 Global Unicast Address Assignments). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Addresses under which IPv6-only networks reach IPv4 (RFC 6052). */
const TRANSLATED = ipaddr.parseCIDR('64:ff9b::/96');
/** Looks public, and is the host itself to a virtual machine in Azure: its certificates and settings. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether an IP address belongs to the public Internet: not loopback, private, link-local (where clouds keep their metadata),
 * carrier-grade NAT, multicast, reserved, for documentation, or a wrapping of such an IPv4 address in IPv6. False for anything
 * that is no address in its usual spelling.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicV4(ipaddr.IPv4.parse(address));
  // A zone names a network interface of this machine.
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false;
  // The library reads ::8.8.8.8, an address that leads nowhere, as ::ffff:8.8.8.8; written without dots it cannot.
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
