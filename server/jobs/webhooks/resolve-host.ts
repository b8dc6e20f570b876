import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { AppError } from '@jyutsing/contracts/errors';

/** All addresses of a host name. Throws `service_unavailable` when there is none, or the signal's reason. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<string[]>;

const QUERY = { timeout: 2_000, tries: 2 };

/** By DNS where only public names count; on closed networks as this machine resolves names, its hosts file included. */
export function chooseResolver({ allowPrivate }: CallbackPolicy): ResolveHost {
  return allowPrivate ? resolveBySystem : createDnsResolver();
}

/**
 * Asks DNS itself. The system's resolver would hold one of the few threads that files are read with, for as long as somebody's name
 * server is silent. `servers` replaces those of the system (`address:port`).
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

/** The addresses of a host that may be a name or itself an address. */
export async function addressesOf(host: string, resolve: ResolveHost, signal: AbortSignal): Promise<string[]> {
  return isIP(host) === 0 ? resolve(host, signal) : [host];
}
