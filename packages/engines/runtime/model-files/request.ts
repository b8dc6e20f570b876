import { AppError } from '@jyutsing/contracts/errors';
import { fetchErrorCode } from '#engines/runtime/fetch-error.ts';
import { readAhead, type ReadAhead } from './read-ahead.ts';

export type RequestOptions = {
  signal: AbortSignal;
  /** Timeout in milliseconds for a connection without any data. */
  stallTimeoutMs: number;
};

/** A connection that brings less is given up: a file would take weeks. */
const MIN_BYTES_PER_SECOND = 4_096;
/** Bytes to buffer for the disk before reading from the network is paused. */
const READ_AHEAD_BYTES = 8_000_000;

/**
 * Sends a GET, following redirects, though from https to nothing else; `use` reads the body of the
 * response. Throws AppError: `not_found` for 404 and 410, `conflict` for other refusals, the
 * retryable `service_unavailable` and `timed_out`; and errors of `fetch`.
 */
export async function request<T>(
  url: string,
  headers: Record<string, string>,
  options: RequestOptions,
  use: (response: Response, body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const connection = new AbortController();
  let body: ReadAhead | null = null;
  let [arrivedBytes, arrivedAtMs] = [0, performance.now()];
  const giveUp = () => {
    const isSilent = performance.now() - arrivedAtMs > options.stallTimeoutMs / 2;
    const how = isSilent ? 'sent nothing for too long' : 'sends too slowly';
    // A full buffer means that the disk is slow, and not the server.
    if (body?.isFull()) timer.refresh();
    else connection.abort(new AppError('timed_out', `the server ${how}`));
  };
  const timer = setTimeout(giveUp, options.stallTimeoutMs);
  const count = (bytes: number) => {
    arrivedBytes += bytes;
    arrivedAtMs = performance.now();
    if (arrivedBytes < (MIN_BYTES_PER_SECOND * options.stallTimeoutMs) / 1_000) return;
    arrivedBytes = 0;
    timer.refresh();
  };
  try {
    const init = {
      // A compressed response could not be resumed: ranges count compressed bytes.
      // A host may close a connection that it kept open just when the next request is sent on it.
      headers: { connection: 'close', 'accept-encoding': 'identity', 'user-agent': 'jyutsing', ...headers },
      signal: AbortSignal.any([options.signal, connection.signal]),
    };
    const response = await fetchRedirected(url, init);
    if (!response.ok && response.status !== 416) throw refusal(response, url);
    timer.refresh();
    body = readAhead(response.body ?? empty(), READ_AHEAD_BYTES, count);
    return await use(response, body);
  } catch (thrown) {
    options.signal.throwIfAborted();
    connection.signal.throwIfAborted();
    throw isUnreachable(thrown) ? unreachable(url, thrown) : thrown;
  } finally {
    clearTimeout(timer);
    // Close the connection when the body was not read to its end.
    connection.abort();
  }
}

const MOST_REDIRECTS = 10;

async function fetchRedirected(url: string, init: RequestInit): Promise<Response> {
  let address = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await fetch(address, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    address = redirectedAddress(address, location);
  }
  throw new AppError('conflict', `${new URL(url).host} redirects without end`);
}

/**
 * Throws `conflict` for a redirect from https to anything else: who answers for the address in the
 * catalogue would be asked no longer, but perhaps a server of this network.
 */
export function redirectedAddress(from: string, location: string): string {
  const { protocol, host } = new URL(from);
  const to = URL.parse(location, from);
  if (to?.protocol === 'https:' || (to?.protocol === 'http:' && protocol === 'http:')) return to.href;
  throw new AppError('conflict', `${host} redirects to an address without encryption`);
}

/** Reads a body as UTF-8. Throws `conflict` when it is longer than the limit. */
export async function readText(body: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limitBytes) throw new AppError('conflict', 'the list of the publisher is too long');
  }
  return text;
}

/** `fetch` throws a TypeError with a cause, also for a connection that is lost later. */
function isUnreachable(thrown: unknown): thrown is TypeError {
  return thrown instanceof TypeError && thrown.message !== 'terminated';
}

function unreachable(url: string, thrown: TypeError): AppError {
  const code = fetchErrorCode(thrown);
  const reason = code === null ? '' : ` (${code})`;
  const help = 'behind a proxy, set HTTPS_PROXY; for a mirror, MODELS_BASE_URL';
  return new AppError('service_unavailable', `${new URL(url).host} cannot be reached${reason}; ${help}`, {
    cause: thrown,
  });
}

async function* empty(): AsyncGenerator<Uint8Array> {}

export function refusal(response: Response, url: string): AppError {
  const { status } = response;
  const { host } = new URL(response.url || url);
  if (status === 404 || status === 410) {
    return new AppError('not_found', `${host} no longer has this file (${status}): ${url}`);
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (status === 408 || status === 429 || status >= 500) {
    const wait = Number.isFinite(seconds) ? { retryAfterSeconds: Math.max(0, seconds) } : {};
    return new AppError('service_unavailable', `${host} answered ${status}`, wait);
  }
  return new AppError('conflict', `${host} refused the download (${status}): ${url}`);
}

/** Replaces https://github.com by the mirror in `MODELS_BASE_URL`, which keeps GitHub's paths. */
export function mirroredUrl(url: string, baseUrl: string | null): string {
  const github = 'https://github.com/';
  return baseUrl !== null && url.startsWith(github)
    ? `${baseUrl.replace(/\/+$/, '')}/${url.slice(github.length)}`
    : url;
}
