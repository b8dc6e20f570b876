import { isIP } from 'node:net';
import { AppError } from '@jyutsing/contracts/errors';
import { isPublicAddress } from './public-address.ts';

/** `allowPrivate`: for closed networks and tests; also allows http and addresses that are not public. */
export type CallbackPolicy = { allowPrivate: boolean };

const MAX_LENGTH = 2_000;

/** Names that stand for this machine or a private network (RFC 6761, 6762, 8375, 9476, and what routers and clouds use). */
const PRIVATE_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|alt|onion|test|invalid|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

/**
 * Refuses a `callback_url` that no delivery could ever go to, so that the caller hears of it at once. What its name resolves to is
 * checked at each delivery, for that may change at any time. Throws `invalid_parameter`.
 */
export function checkCallbackUrl(url: string, { allowPrivate }: CallbackPolicy): void {
  if (url.length > MAX_LENGTH) throw refuse(`may have at most ${MAX_LENGTH} characters`);
  // URL forgives these and removes them silently, so the address that is called would not be the one that was sent.
  if (/[\s\p{Cc}\\]/u.test(url)) throw refuse('must not contain spaces, control characters or backslashes');
  const scheme = allowPrivate ? /^https?:\/\//i : /^https:\/\//i;
  if (!scheme.test(url) || !URL.canParse(url)) {
    throw refuse(`must be a whole address that begins with https://${allowPrivate ? ' or http://' : ''}`);
  }
  if (/^\w+:\/*[^/?#]*@/.test(url)) throw refuse('must not contain a user name or password');
  if (url.includes('#')) throw refuse('must not contain a fragment (#)');
  if (!allowPrivate && !mayBePublic(hostOf(new URL(url)))) {
    throw refuse('must lead to a public address: private networks cannot be reached from here');
  }
}

/** The host of an address as DNS and sockets take it: no brackets, no dot at the end. Numbers in any spelling have become usual ones. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function mayBePublic(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  // A name without a dot is one of the local network.
  return host.includes('.') && !PRIVATE_NAMES.test(host);
}

function refuse(why: string): AppError {
  return new AppError('invalid_parameter', `The field "callback_url" ${why}.`);
}
