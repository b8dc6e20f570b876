import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { OWNER_KEY } from '#testbed/service/service.ts';
import type { Recording } from './recordings.ts';

const BOUNDARY = 'bench-of-pronunciation';

/** The form of a scoring request, as browsers encode it. */
export function formOf({ text, language, bytes }: Recording): Buffer {
  const field = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return Buffer.concat([
    Buffer.from(field('api_key', OWNER_KEY) + field('text', text) + field('language', language)),
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** Reuses connections, as browsers and client libraries do. */
export const createAgent = (): Agent => new Agent({ keepAlive: true });

/**
 * Starts a request with its headers; the caller sends the body. Does not use `fetch`, whose own
 * queues would be measured too.
 */
export function begin(baseUrl: string, agent: Agent, form: Buffer): ClientRequest {
  return request(`${baseUrl}/api/score-pronunciation`, {
    method: 'POST',
    agent,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': form.length },
  });
}

/** Requests one score; returns the milliseconds from sending to the end of the answer. */
export async function scoreOnce(baseUrl: string, agent: Agent, form: Buffer): Promise<number> {
  const startedMs = performance.now();
  const call = begin(baseUrl, agent, form);
  call.end(form);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece as string;
  if (response.statusCode !== 200) throw new Error(`a score was refused: ${response.statusCode} ${body}`);
  return performance.now() - startedMs;
}

/**
 * Requests `count` scores from `clients` clients at once, each of one of the servers; returns the
 * time of each and of all.
 */
export async function scoreMany(
  urls: readonly string[],
  form: Buffer,
  { count, clients }: { count: number; clients: number },
): Promise<{ timesMs: number[]; seconds: number }> {
  const agent = createAgent();
  const timesMs: number[] = [];
  let left = count;
  const startedMs = performance.now();
  const client = async (_: unknown, index: number) => {
    const url = urls[index % urls.length]!;
    while (left-- > 0) timesMs.push(await scoreOnce(url, agent, form));
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return { timesMs, seconds: (performance.now() - startedMs) / 1_000 };
}
