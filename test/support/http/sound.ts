import { request, type IncomingMessage } from 'node:http';

/** An answer whose body is read, or not, by the test. */
export type OpenAnswer = {
  status: number;
  /** By lower-case name. */
  headers: IncomingMessage['headers'];
  /** As sent, names in their spelling. */
  rawHeaders: string[];
  response: IncomingMessage;
  /** Breaks the connection off. */
  hangUp(): void;
};

/** Posts JSON (or any text) and resolves with the answer's headers; the body waits unread. `key` null: none in the headers. */
export function openPost(url: string, body: unknown, key: string | null = null): Promise<OpenAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenAnswer>();
  const headers = { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) };
  const sent = request(url, { method: 'POST', headers, agent: false }, (response) =>
    resolve({
      status: response.statusCode ?? 0,
      headers: response.headers,
      rawHeaders: response.rawHeaders,
      response,
      hangUp: () => void sent.destroy(),
    }),
  );
  sent.on('error', reject);
  sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  return promise;
}

/** The whole body, or as much of it as came; `complete` is false where the connection was cut before its end. */
export async function bodyOf({ response }: OpenAnswer): Promise<{ bytes: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('close', resolve).on('error', () => {});
  });
  await ended;
  return { bytes: Buffer.concat(chunks), complete: response.complete };
}

/** Sends a request and breaks it off after `afterMs`, whether or not something came. */
export async function hangUpAfter(url: string, body: unknown, key: string, afterMs: number): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(afterMs) }).catch(
    () => {},
  );
}
