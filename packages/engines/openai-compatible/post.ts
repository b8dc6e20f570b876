import { AppError } from '@jyutsing/contracts/errors';
import { connectionFailure, type ServerRole } from './failures.ts';

/** The response of a server with any status; the body is at most as long as allowed. */
export type Reply = { status: number; body: string; retryAfter: string | null };

type PostOptions = {
  role: ServerRole;
  apiKey: string | null;
  /** Limit for the response body. */
  maxAnswerBytes: number;
  /** Null: only the signal ends the wait. */
  timeoutMs: number | null;
};

/** `type` null: `fetch` derives it from the body. */
type PostContent = { body: FormData | string; type: string | null };

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

/** The POST itself, returning before the body arrives. Throws as `fetch`. */
export function send(
  url: string,
  { body, type }: PostContent,
  { apiKey, accept }: { apiKey: string | null; accept: string },
  stop: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      accept,
      ...(type === null ? {} : { 'content-type': type }),
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body,
    // A redirect would send the recording and the key to an address that the operator did not
    // configure.
    redirect: 'manual',
    signal: stop,
  });
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
