import { isIP } from 'node:net';
import { AppError } from '@jyutsing/contracts/errors';
import { isPublicAddress } from './public-address.ts';

/** `allowPrivate` allows http and private addresses, for closed networks and tests. */
export type CallbackPolicy = { allowPrivate: boolean };

const MAX_LENGTH = 2_000;

/** Names of this machine or of private networks (RFC 6761, 6762, 8375, 9476, routers, clouds). */
const PRIVATE_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|alt|onion|test|invalid|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

/**
 * Refuses a `callback_url` that deliveries can never reach, or another field with an address that
 * this server shall call. The addresses that its name resolves to are checked at each call, because
 * they may change. Throws `invalid_parameter`.
 */
export function checkCallbackUrl(url: string, { allowPrivate }: CallbackPolicy, field = 'callback_url'): void {
  const refuse = (why: string) => new AppError('invalid_parameter', `The field "${field}" ${why}.`);
  if (url.length > MAX_LENGTH) throw refuse(`may have at most ${MAX_LENGTH} characters`);
  // URL removes these silently, so another URL than the sent one would be called.
  if (/[\s\p{Cc}\\]/u.test(url)) throw refuse('must not contain spaces, control characters or backslashes');
  const scheme = allowPrivate ? /^https?:\/\//i : /^https:\/\//i;
  if (!scheme.test(url) || !URL.canParse(url)) {
    throw refuse(`must be a complete URL that begins with https://${allowPrivate ? ' or http://' : ''}`);
  }
  if (/^\w+:\/*[^/?#]*@/.test(url)) throw refuse('must not contain a user name or password');
  if (url.includes('#')) throw refuse('must not contain a fragment (#)');
  if (!allowPrivate && !mayBePublic(hostOf(new URL(url)))) {
    throw refuse('must lead to a public address; private networks are not allowed');
  }
}

/** The host of a URL without brackets and final dot; URL has normalized the spelling of numbers. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function mayBePublic(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  // A name without a dot belongs to the local network.
  return host.includes('.') && !PRIVATE_NAMES.test(host);
}
