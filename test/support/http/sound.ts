import { request, type IncomingMessage } from 'node:http';

/** An answer whose body the test may read. */
type OpenAnswer = {
  status: number;
  /** Headers by lower-case name. */
  headers: IncomingMessage['headers'];
  /** Names as sent. */
  rawHeaders: string[];
  response: IncomingMessage;
  /** Ends the connection of the client. */
  disconnect(): void;
};

/**
 * Posts JSON or text and resolves with the answer's headers, its body unread. `key` null: no key
 * header.
 */
export function openPost(url: string, body: unknown, key: string | null = null): Promise<OpenAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenAnswer>();
  const headers = { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) };
  const outgoing = request(url, { method: 'POST', headers, agent: false }, (response) =>
    resolve({
      status: response.statusCode ?? 0,
      headers: response.headers,
      rawHeaders: response.rawHeaders,
      response,
      disconnect: () => void outgoing.destroy(),
    }),
  );
  outgoing.on('error', reject);
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  return promise;
}

/** The received body; `complete` is false when the connection was cut before its end. */
export async function bodyOf({ response }: OpenAnswer): Promise<{ bytes: Buffer; complete: boolean }> {
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('close', resolve).on('error', () => {});
  });
  await ended;
  return { bytes: Buffer.concat(chunks), complete: response.complete };
}

/** Sends a request and disconnects when `moment` has come, or at the answer. */
export async function disconnectWhen(
  url: string,
  body: unknown,
  key: string,
  moment: () => Promise<unknown>,
): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const leaving = new AbortController();
  const answer = fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: leaving.signal });
  const end = answer.catch(() => {});
  await Promise.race([moment(), end]);
  leaving.abort();
  await end;
}
