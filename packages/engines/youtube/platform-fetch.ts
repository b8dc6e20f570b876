import { Agent, fetch, ProxyAgent, type Dispatcher, type Response } from 'undici';
import { fetchErrorCode } from '#engines/runtime/fetch-error.ts';
import { CONNECTION_FAILED, PlatformError, errorOfResponse, errorOfRedirect } from './platform-error.ts';
import type { PlatformHosts } from './platform-hosts.ts';

export type PlatformRequest = {
  /** An absolute link, or one relative to the platform. */
  link: string;
  headers: Readonly<Record<string, string>>;
  /** Body of a POST; null for a GET. */
  body: string | null;
};

/**
 * A response whose `bytes` must be read to the end or cancelled with `cancel`, or the connection
 * stays open.
 */
export type ByteResponse = {
  status: number;
  headers: { get(name: string): string | null };
  bytes: AsyncIterable<Uint8Array>;
  cancel(): Promise<void>;
};

/**
 * Sends all requests to the platform. Throws `PlatformError`, or the reason of an aborted signal.
 */
export type PlatformFetch = {
  /** Returns the body of a response with status 200. Throws for captcha pages and the like. */
  text(request: PlatformRequest, signal: AbortSignal): Promise<string>;
  /** Streams the body. Only pauses have a time limit, because large files take long. */
  bytes(request: PlatformRequest, signal: AbortSignal): Promise<ByteResponse>;
  /** Closes all connections, so running requests fail. */
  close(): Promise<void>;
};

type PlatformFetchOptions = {
  hosts: PlatformHosts;
  proxyUrl: string | null;
  timeoutMs: number;
  maxAnswerBytes: number;
};

const MAX_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Cookie that marks the consent dialog as answered with "reject all"; it identifies no person or
 * session.
 */
const CONSENT_COOKIE = 'SOCS=CAI';

export function createPlatformFetch(options: PlatformFetchOptions): PlatformFetch {
  const dispatcher = createDispatcher(options);

  const send = async (request: PlatformRequest, stop: AbortSignal): Promise<Response> => {
    let url = options.hosts.resolve(request.link);
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url.href, {
        method: request.body === null ? 'GET' : 'POST',
        headers: { 'accept-language': 'en-US,en;q=0.9', cookie: CONSENT_COOKIE, ...request.headers },
        body: request.body,
        redirect: 'manual',
        signal: stop,
        dispatcher,
      });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      const target = URL.parse(location, url.href);
      const error = target === null ? new PlatformError('invalid redirect') : errorOfRedirect(target);
      if (error !== null) throw error;
      if (request.body !== null) throw new PlatformError(`status ${response.status}`);
      if (redirects >= MAX_REDIRECTS) throw new PlatformError('too many redirects');
      url = options.hosts.resolve(target?.href ?? '');
    }
  };

  return {
    async text(request, signal) {
      signal.throwIfAborted();
      const timeout = AbortSignal.timeout(options.timeoutMs);
      return orPlatformError({ signal, timeout }, async () => {
        const response = await send(request, AbortSignal.any([signal, timeout]));
        const body = await readLimited(response, options.maxAnswerBytes);
        const error = errorOfResponse(response.status, body);
        if (error !== null) throw error;
        return body;
      });
    },

    async bytes(request, signal) {
      signal.throwIfAborted();
      const stops = { signal, timeout: null };
      const response = await orPlatformError(stops, () => send(request, signal));
      return {
        status: response.status,
        headers: response.headers,
        bytes: bytesOrPlatformError(stops, response),
        cancel: async () => response.body?.cancel(),
      };
    },

    close: () => dispatcher.destroy(),
  };
}

function createDispatcher({ proxyUrl, timeoutMs }: PlatformFetchOptions): Dispatcher {
  const connect = { timeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS) };
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, allowH2: false };
  if (proxyUrl === null) return new Agent({ ...limits, connect });
  return new ProxyAgent({ ...limits, uri: proxyUrl, proxyTls: connect, requestTls: connect });
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw new PlatformError('response too large');
  }
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  // Counts decompressed bytes: a small compressed body may expand to a large one.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new PlatformError('response too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type Stops = { signal: AbortSignal; timeout: AbortSignal | null };

async function orPlatformError<Value>(stops: Stops, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    throw toThrow(stops, thrown);
  }
}

async function* bytesOrPlatformError(stops: Stops, response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk as Uint8Array;
  } catch (thrown) {
    throw toThrow(stops, thrown);
  }
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);

/**
 * Error codes of a tunnel that the proxy refused. `UND_ERR_ABORTED` has no other cause once signals
 * are excluded.
 */
const PROXY_CODES = new Set(['UND_ERR_ABORTED', 'UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS']);

/** Maps an error of `fetch` to the reason of the signal or to a `PlatformError`. */
function toThrow({ signal, timeout }: Stops, thrown: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (thrown instanceof PlatformError) return thrown;
  const code = fetchErrorCode(thrown) ?? '';
  if (timeout?.aborted === true || TIMEOUT_CODES.has(code)) return new PlatformError('timed out');
  if (PROXY_CODES.has(code)) return new PlatformError('refused by the proxy');
  return new PlatformError(code === '' ? CONNECTION_FAILED : `${CONNECTION_FAILED} (${code})`);
}
