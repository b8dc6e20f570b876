import { setTimeout as sleep } from 'node:timers/promises';
import { request, requestIdOf, submission, type Service } from './service.ts';

type LoadOptions = { stop?: AbortSignal; fields?: Readonly<Record<string, string>> };

/**
 * Submits recordings one after the other, with these fields, and collects the accepted request ids,
 * until stopped or the server is gone.
 */
export async function submitUntilDead(
  service: Service,
  audio: Uint8Array,
  accepted: string[],
  { stop, fields = {} }: LoadOptions = {},
): Promise<void> {
  const isOver = () =>
    stop?.aborted === true || service.process.exitCode !== null || service.process.signalCode !== null;
  while (!isOver()) {
    try {
      // A unique hint prevents a cached answer for every second request.
      const isNew = accepted.length % 2 === 0;
      const hint = isNew ? { context: crypto.randomUUID() } : {};
      const form = submission(audio, { skip_fusion: 'true', ...fields, ...hint });
      const answer = await request(`${service.baseUrl}/api/stt`, form);
      if (answer.status === 200) accepted.push(requestIdOf(answer));
    } catch {
      // The connection broke: the client does not know whether the request was accepted.
      return;
    }
    await sleep(40);
  }
}

export async function waitUntilIdle(service: Pick<Service, 'baseUrl'>): Promise<void> {
  for (;;) {
    const { body } = await request(`${service.baseUrl}/metrics`);
    const waiting = [...String(body['text']).matchAll(/^jyutsing_queue_jobs\{.*\} (\d+)$/gm)].map((match) =>
      Number(match[1]),
    );
    if (waiting.length > 0 && waiting.every((count) => count === 0)) return;
    await sleep(200);
  }
}
