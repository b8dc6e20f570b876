import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '@jyutsing/contracts/errors';
import { hostOf, type CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { isPublicAddress } from '#features/webhooks/public-address.ts';
import { addressesOf, chooseResolver, lookupAmong, type ResolveHost } from '#features/webhooks/resolve-host.ts';

/** A JSON body with its signature in the headers. */
type Delivery = { url: string; headers: Record<string, string>; body: string };

/** Replaceable by tests. `ca`: certificates (PEM) trusted instead of the usual ones. */
export type Transport = {
  resolveHost: ResolveHost;
  isAllowed(address: string): boolean;
  /** Covers name resolution, connection and TLS together. */
  connectTimeoutMs: number;
  /** Covers everything until the answer was read. */
  timeoutMs: number;
  ca: string | null;
};

/** A transport to public addresses only, unless the policy allows others. */
export function createTransport(policy: CallbackPolicy): Transport {
  return {
    resolveHost: chooseResolver(policy),
    isAllowed: policy.allowPrivate ? () => true : isPublicAddress,
    connectTimeoutMs: 5_000,
    timeoutMs: 15_000,
    ca: null,
  };
}

/** The limit for reading the answer, whose body is not used. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends one POST and returns the status of the answer. Resolves the name once, checks every
 * address and connects to exactly these, so a second DNS query cannot lead elsewhere. Follows no
 * redirects and uses no proxy. Throws `service_unavailable` with the reason as its message when
 * there is no answer, or the reason of `signal`.
 */
export async function post(delivery: Delivery, transport: Transport, signal: AbortSignal): Promise<number> {
  const url = new URL(delivery.url);
  const tooLate = new AbortController();
  const end = (what: string) => tooLate.abort(new AppError('service_unavailable', what));
  const whole = setTimeout(end, transport.timeoutMs, 'The receiver did not answer in time.');
  const connecting = setTimeout(end, transport.connectTimeoutMs, 'The receiver could not be connected in time.');
  const stop = AbortSignal.any([signal, tooLate.signal]);
  try {
    const addresses = await addressesOf(hostOf(url), transport.resolveHost, stop);
    stop.throwIfAborted();
    if (!addresses.every((address) => transport.isAllowed(address))) {
      throw new AppError('service_unavailable', 'The name of the receiver leads to an address that is not public.');
    }
    const request = openRequest(url, delivery, lookupAmong(addresses), transport.ca, stop);
    request.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    const response = await responseTo(request, delivery.body);
    clearTimeout(connecting);
    await discard(response);
    return response.statusCode ?? 0;
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new AppError('service_unavailable', `The receiver did not answer: ${describe(error)}.`, { cause: error });
  } finally {
    clearTimeout(whole);
    clearTimeout(connecting);
  }
}

function openRequest(
  url: URL,
  { headers, body }: Delivery,
  lookup: LookupFunction,
  ca: string | null,
  signal: AbortSignal,
): ClientRequest {
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // A new agent: the global one may use a proxy of the environment or an earlier connection.
    agent: false,
    lookup,
    // Time for each address before the next is tried; the 250 ms of Node are too short for distant
    // servers.
    autoSelectFamilyAttemptTimeout: 1_000,
    signal,
  } as const;
  if (url.protocol === 'http:') return requestHttp(url, options);
  const host = hostOf(url);
  // The environment can disable verification for the process, but not here.
  const tls = { rejectUnauthorized: true, servername: isIP(host) === 0 ? host : '', ...(ca === null ? {} : { ca }) };
  return requestHttps(url, { ...options, ...tls });
}

function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays registered: an error after the answer has no other listener and would end the process.
    request.on('error', reject);
    request.once('close', () => reject(new AppError('service_unavailable', 'The receiver closed the connection.')));
    request.end(body);
  });
}

/**
 * Reads part of the body, so the connection of a receiver that still writes its answer does not
 * break.
 */
async function discard(response: IncomingMessage): Promise<void> {
  let sizeBytes = 0;
  try {
    for await (const chunk of response) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status is known; nothing else of the answer matters.
  } finally {
    response.destroy();
  }
}

/** The code of a system or TLS error; its message may contain addresses. */
function describe(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the connection broke';
}
