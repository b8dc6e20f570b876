import { Agent, fetch, ProxyAgent, type Dispatcher, type Response } from 'undici';
import { fetchErrorCode } from '#engines/runtime/fetch-error.ts';
import { Obstacle, obstacleOfAnswer, obstacleOfRedirect } from './platform-error.ts';
import type { PlatformHosts } from './platform-hosts.ts';

export type PlatformRequest = {
  /** An absolute link, or one relative to the platform. */
  link: string;
  headers: Readonly<Record<string, string>>;
  /** A POST with this body; null: a GET. */
  body: string | null;
};

/** What a request for bytes was answered with; `bytes` must be read or `cancel` called. */
export type ByteAnswer = {
  status: number;
  headers: { get(name: string): string | null };
  bytes: AsyncIterable<Uint8Array>;
  cancel(): Promise<void>;
};

/** The one way to the platform. Throws `Obstacle`, or the reason of a signal that was aborted. */
export type PlatformFetch = {
  /** The body of a 200; anything that is visibly no answer is an obstacle. */
  text(request: PlatformRequest, signal: AbortSignal): Promise<string>;
  /** Bytes as they come; only silence is limited, because it takes as long as it is large. */
  bytes(request: PlatformRequest, signal: AbortSignal): Promise<ByteAnswer>;
  /** Closes the connections; what is under way fails. */
  close(): Promise<void>;
};

export type PlatformFetchOptions = {
  hosts: PlatformHosts;
  proxyUrl: string | null;
  timeoutMs: number;
  maxAnswerBytes: number;
};

const MAX_REDIRECTS = 3;
/** Whoever is there has said so by then; the rest of the time is for the answer. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Says that the question for consent was answered (with a refusal of everything); no person and no session is in it. */
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
      const obstacle = target === null ? new Obstacle('a redirect to nowhere') : obstacleOfRedirect(target);
      if (obstacle !== null) throw obstacle;
      if (request.body !== null) throw new Obstacle(`status ${response.status}`);
      if (redirects >= MAX_REDIRECTS) throw new Obstacle('too many redirects');
      url = options.hosts.resolve(target?.href ?? '');
    }
  };

  return {
    async text(request, signal) {
      signal.throwIfAborted();
      const timeout = AbortSignal.timeout(options.timeoutMs);
      return explained({ signal, timeout }, async () => {
        const response = await send(request, AbortSignal.any([signal, timeout]));
        const body = await readLimited(response, options.maxAnswerBytes);
        const obstacle = obstacleOfAnswer(response.status, body);
        if (obstacle !== null) throw obstacle;
        return body;
      });
    },

    async bytes(request, signal) {
      signal.throwIfAborted();
      const watched = { signal, timeout: null };
      const response = await explained(watched, () => send(request, signal));
      return {
        status: response.status,
        headers: response.headers,
        bytes: explainedBytes(watched, response),
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
    throw new Obstacle('answer too large');
  }
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  // Counted as they are unpacked: a small body can hold a large one.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new Obstacle('answer too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type Watched = { signal: AbortSignal; timeout: AbortSignal | null };

async function explained<Value>(watched: Watched, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    throw explain(watched, thrown);
  }
}

async function* explainedBytes(watched: Watched, response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk as Uint8Array;
  } catch (thrown) {
    throw explain(watched, thrown);
  }
}

const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** A tunnel that was not made. Nothing else aborts a request but signals, which are looked at before. */
const PROXY = new Set(['UND_ERR_ABORTED', 'UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS']);

/** What is to be thrown for what `fetch` threw: the reason of the caller's signal, or an obstacle. */
function explain({ signal, timeout }: Watched, thrown: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (thrown instanceof Obstacle) return thrown;
  const code = fetchErrorCode(thrown) ?? '';
  if (timeout?.aborted === true || SLOW.has(code)) return new Obstacle('no answer in time');
  if (PROXY.has(code)) return new Obstacle('refused by the proxy');
  return new Obstacle(code === '' ? 'connection failed' : `connection failed (${code})`);
}
