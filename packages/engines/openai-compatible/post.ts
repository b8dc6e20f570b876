import type { Agent, Response } from 'undici';
import { AppError } from '@jyutsing/contracts/errors';
import { connectionFailure, type ServerRole } from './failures.ts';

/**
 * Timeout of a connection in milliseconds, short so that a server that does not even take the
 * connection is reported while the client still waits; the default of `fetch` is 10 seconds.
 */
const CONNECT_TIMEOUT_MS = 2_000;

/** The response of a server with any status; the body is at most as long as allowed. */
export type Reply = { status: number; body: string; retryAfter: string | null };

type PostOptions = {
  role: ServerRole;
  apiKey: string | null;
  /** Limit for the response body, in bytes. */
  maxAnswerBytes: number;
  /** Timeout in milliseconds; null when only the signal ends the wait. */
  timeoutMs: number | null;
};

/** Content of a request: JSON or a form. */
type PostContent = FormData | string;

/**
 * Sends one POST without retries and redirects. Throws as described in `failures.ts` when there is
 * no response, or the signal's reason at once.
 */
export async function post(
  url: string,
  content: PostContent,
  { role, apiKey, maxAnswerBytes, timeoutMs }: PostOptions,
  signal: AbortSignal,
): Promise<Reply> {
  signal.throwIfAborted();
  const timeout = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
  const stop = timeout === null ? signal : AbortSignal.any([signal, timeout]);
  return withNetworkErrors(role, { signal, hasTimedOut: () => timeout?.aborted ?? false }, async () => {
    const response = await send(url, content, { apiKey, accept: 'application/json' }, stop);
    return {
      status: response.status,
      body: await readLimited(response, role, maxAnswerBytes),
      retryAfter: response.headers.get('retry-after'),
    };
  });
}

/** Agent for all requests of the process, which keep their connections for a while. */
let agent: Agent | null = null;

/** Sends the POST, and returns before the body arrives. Throws the errors of `fetch`. */
export async function send(
  url: string,
  content: PostContent,
  { apiKey, accept }: { apiKey: string | null; accept: string },
  stop: AbortSignal,
): Promise<Response> {
  // Load the library on demand: most servers have no outside engine.
  const undici = await import('undici');
  agent ??= new undici.Agent({ allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS } });
  const { body, type } = await encode(content);
  return undici.fetch(url, {
    method: 'POST',
    headers: {
      accept,
      'content-type': type,
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body,
    // A redirect would send the recording and the key to an address that the operator did not
    // configure.
    redirect: 'manual',
    signal: stop,
    dispatcher: agent,
  });
}

/** Writes a form as bytes: this `fetch` knows only forms of its own class. */
async function encode(content: PostContent): Promise<{ body: string | Uint8Array; type: string }> {
  if (typeof content === 'string') return { body: content, type: 'application/json' };
  const encoded = new globalThis.Response(content);
  return { body: await encoded.bytes(), type: encoded.headers.get('content-type') ?? '' };
}

/**
 * Runs work with a server, and converts its errors to the signal's reason or an error of the
 * catalogue.
 */
export async function withNetworkErrors<Value>(
  role: ServerRole,
  { signal, hasTimedOut }: { signal: AbortSignal; hasTimedOut: () => boolean },
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError) throw thrown;
    throw connectionFailure(role, thrown, hasTimedOut());
  }
}

async function readLimited(response: Response, role: ServerRole, maxAnswerBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxAnswerBytes) {
      throw new AppError('engine_failed', role.wrongAnswer, {
        cause: `the body is longer than ${maxAnswerBytes} bytes`,
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Parses JSON; undefined when the body is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
