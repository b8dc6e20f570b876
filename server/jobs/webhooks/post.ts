import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '@jyutsing/contracts/errors';
import { hostOf, type CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { isPublicAddress } from '#features/webhooks/public-address.ts';
import { addressesOf, chooseResolver, type ResolveHost } from './resolve-host.ts';

/** What is sent: a body of JSON with its signature in the headers. */
export type Delivery = { url: string; headers: Record<string, string>; body: string };

/** How it is sent; tests replace parts. `ca`: certificates (PEM) that are trusted instead of the usual ones. */
export type Transport = {
  resolveHost: ResolveHost;
  isAllowed(address: string): boolean;
  /** For the name, the connection and TLS together. */
  connectTimeoutMs: number;
  /** For all of it, until the answer was read. */
  timeoutMs: number;
  ca: string | null;
};

/** The transport that reaches public addresses only, unless the policy allows others. */
export function createTransport(policy: CallbackPolicy): Transport {
  return {
    resolveHost: chooseResolver(policy),
    isAllowed: policy.allowPrivate ? () => true : isPublicAddress,
    connectTimeoutMs: 5_000,
    timeoutMs: 15_000,
    ca: null,
  };
}

/** More than this of an answer is not read: nobody looks at it. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends one POST and gives the status of the answer. The name is resolved once, every address is checked, and the connection goes to
 * exactly these addresses: no second look at DNS could lead elsewhere. Redirects are not followed, no proxy is used.
 * Throws `service_unavailable` with the reason as its message when there is no answer, or the reason of `signal`.
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
    // An agent of its own without settings: the global one may use a proxy of the environment or a connection made before.
    agent: false,
    lookup,
    // Of several addresses each gets so long before the next is tried; Node's 250 ms are too short for the other end of the world.
    autoSelectFamilyAttemptTimeout: 1_000,
    signal,
  } as const;
  if (url.protocol === 'http:') return requestHttp(url, options);
  const host = hostOf(url);
  // The environment can turn verification off for the whole process, not for this.
  const tls = { rejectUnauthorized: true, servername: isIP(host) === 0 ? host : '', ...(ca === null ? {} : { ca }) };
  return requestHttps(url, { ...options, ...tls });
}

/** Gives the sockets what was checked instead of asking DNS once more. A host that is an address is not looked up at all. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays for good: an error after the answer has no other listener and would end the process.
    request.on('error', reject);
    request.once('close', () => reject(new AppError('service_unavailable', 'The receiver closed the connection.')));
    request.end(body);
  });
}

/** Reads a little, so that a receiver that still writes its answer does not see its connection break. */
async function discard(response: IncomingMessage): Promise<void> {
  let sizeBytes = 0;
  try {
    for await (const chunk of response) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status is known, and nothing else of the answer matters.
  } finally {
    response.destroy();
  }
}

/** The code of a system or TLS error: its message may name addresses. */
function describe(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the connection broke';
}
