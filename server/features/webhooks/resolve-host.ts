import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '@jyutsing/contracts/errors';
import type { CallbackPolicy } from './callback-url.ts';

/**
 * All addresses of a host name. Throws `service_unavailable` when there is none, or the reason of
 * the signal.
 */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<string[]>;

const QUERY = { timeout: 2_000, tries: 2 };

/**
 * Uses DNS where only public names count; on closed networks the resolver of the system with its
 * hosts file.
 */
export function chooseResolver({ allowPrivate }: CallbackPolicy): ResolveHost {
  return allowPrivate ? resolveBySystem : createDnsResolver();
}

/**
 * Queries DNS directly: the resolver of the system would block one of the few file threads while a
 * name server is silent. `servers` replaces those of the system (`address:port`).
 */
export function createDnsResolver(servers: readonly string[] | null = null): ResolveHost {
  return (host, signal) => {
    const resolver = new Resolver(QUERY);
    if (servers !== null) resolver.setServers(servers);
    return resolveWith(resolver, host, signal);
  };
}

async function resolveWith(resolver: Resolver, host: string, signal: AbortSignal): Promise<string[]> {
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const [failed] = answers;
    throw notFound(failed.status === 'rejected' ? failed.reason : undefined);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function resolveBySystem(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => address);
  } catch (cause) {
    throw notFound(cause);
  }
}

function notFound(cause: unknown): AppError {
  return new AppError('service_unavailable', 'The name of the receiver was not found.', { cause });
}

/** The addresses of a host, which may be a name or an IP address. */
export async function addressesOf(host: string, resolve: ResolveHost, signal: AbortSignal): Promise<string[]> {
  return isIP(host) === 0 ? resolve(host, signal) : [host];
}

/**
 * Returns the checked addresses to the socket instead of querying DNS again. An IP address is not
 * looked up.
 */
export function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}
