import { AppError } from '@jyutsing/contracts/errors';
import { readAhead, type ReadAhead } from './read-ahead.ts';

export type RequestOptions = {
  signal: AbortSignal;
  /** A connection that brings nothing for so long is given up. */
  stallTimeoutMs: number;
};

/** So much may wait for the disk before the network is slowed down. */
const READ_AHEAD_BYTES = 8_000_000;

/**
 * One GET, redirects followed; `use` reads the body of the answer. Throws AppError: `not_found` for 404 and 410, `conflict` for other
 * refusals, and the retryable `service_unavailable` and `timed_out`; and what `fetch` throws.
 */
export async function request<T>(
  url: string,
  headers: Record<string, string>,
  options: RequestOptions,
  use: (response: Response, body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const connection = new AbortController();
  let body: ReadAhead | null = null;
  const giveUp = () => {
    // Then it is the disk that is slow, and the connection may wait for it.
    if (body?.isFull()) timer.refresh();
    else connection.abort(new AppError('timed_out', 'the server sent nothing for too long'));
  };
  const timer = setTimeout(giveUp, options.stallTimeoutMs);
  try {
    const response = await fetch(url, {
      // A compressed answer could not be resumed: ranges count the bytes on the wire.
      headers: { 'accept-encoding': 'identity', 'user-agent': 'jyutsing', ...headers },
      signal: AbortSignal.any([options.signal, connection.signal]),
    });
    if (!response.ok && response.status !== 416) throw refusal(response, url);
    body = readAhead(response.body ?? empty(), READ_AHEAD_BYTES, () => timer.refresh());
    return await use(response, body);
  } catch (thrown) {
    options.signal.throwIfAborted();
    connection.signal.throwIfAborted();
    throw thrown;
  } finally {
    clearTimeout(timer);
    // Leaves no connection behind when the body was not read to its end.
    connection.abort();
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}

function refusal(response: Response, url: string): AppError {
  const { status } = response;
  const host = new URL(response.url || url).host;
  if (status === 404 || status === 410) {
    return new AppError('not_found', `${host} has no such file any more (${status}): ${url}`);
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (status === 408 || status === 429 || status >= 500) {
    const wait = Number.isFinite(seconds) ? { retryAfterSeconds: Math.max(0, seconds) } : {};
    return new AppError('service_unavailable', `${host} answered ${status}`, wait);
  }
  return new AppError('conflict', `${host} refuses the download (${status}): ${url}`);
}

/** `MODELS_BASE_URL` stands for GitHub in every address, so that a mirror keeps GitHub's paths. */
export function mirroredUrl(url: string, baseUrl: string | null): string {
  const github = 'https://github.com/';
  return baseUrl !== null && url.startsWith(github)
    ? `${baseUrl.replace(/\/+$/, '')}/${url.slice(github.length)}`
    : url;
}
