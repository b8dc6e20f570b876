import { AppError } from '#contracts/errors.ts';
import { connectionFailure, type ServerRole } from './failures.ts';

/** What a server answered, whatever its status; the body is at most as long as was allowed. */
export type Reply = { status: number; body: string; retryAfter: string | null };

export type PostOptions = {
  role: ServerRole;
  apiKey: string | null;
  /** The most that is read of an answer. */
  maxAnswerBytes: number;
  /** Null: only the signal ends the waiting. */
  timeoutMs: number | null;
};

/** One POST, tried once, redirects not followed. Throws AppError (failures.ts) where no answer came, or the signal's reason at once. */
export async function post(
  url: string,
  content: { body: FormData | string; type: string | null },
  { role, apiKey, maxAnswerBytes, timeoutMs }: PostOptions,
  signal: AbortSignal,
): Promise<Reply> {
  signal.throwIfAborted();
  const timeout = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(content.type === null ? {} : { 'content-type': content.type }),
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: content.body,
      // A redirect would take what was said, and the key, to an address that nobody named.
      redirect: 'manual',
      signal: timeout === null ? signal : AbortSignal.any([signal, timeout]),
    });
    return {
      status: response.status,
      body: await readLimited(response, role, maxAnswerBytes),
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError) throw thrown;
    throw connectionFailure(role, thrown, timeout?.aborted ?? false);
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
