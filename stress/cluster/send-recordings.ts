import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { request, requestIdOf, submission } from '#testbed/service/service.ts';
import type { MeasuredJob } from '../../scripts/simulate/measured-runs.ts';
import type { Cluster } from './cluster.ts';
import { listRecords } from './list-records.ts';
import type { Recording } from './recordings.ts';

const POLL_MS = 200;
const ATTEMPTS = 5;
const RETRY_MS = 1_000;
const GIVE_UP_MS = 300_000;

/**
 * Sends recording i after `atS[i]` seconds and waits until all are completed. Times are those of
 * the records. Only one recording is polled at a time: a client for each that polled every 50 ms
 * took half of the processors from the workers that it measured.
 */
export async function sendRecordings(
  cluster: Cluster,
  recordings: readonly Recording[],
  atS: readonly number[],
): Promise<MeasuredJob[]> {
  const key = await cluster.newKey('load');
  const addresses = cluster.addresses('api');
  const startedMs = performance.now();
  const submissions = await Promise.all(
    recordings.map(async ({ audio, language, seconds }, index) => {
      await sleep(Math.max(0, atS[index]! * 1_000 - (performance.now() - startedMs)));
      // A different context for every recording prevents a cached result.
      const fields = { api_key: key, language, context: crypto.randomUUID(), skip_fusion: 'true' };
      return { id: await submit(addresses[index % addresses.length] ?? '', audio, fields), audioS: seconds };
    }),
  );
  const [baseUrl = ''] = addresses;
  for (const { id } of submissions) await waitUntilCompleted(baseUrl, id, key);
  const audioOf = new Map(submissions.map(({ id, audioS }) => [id, audioS]));
  const times = (await listRecords(baseUrl, key)).map((record) => ({
    arrivedMs: Date.parse(record.created_at),
    endedMs: Date.parse(record.finished_at ?? ''),
    audioS: audioOf.get(record.request_id) ?? Number.NaN,
    workedS: record.processing_time ?? Number.NaN,
  }));
  times.sort((a, b) => a.arrivedMs - b.arrivedMs);
  const firstMs = times[0]?.arrivedMs ?? 0;
  return times.map(({ arrivedMs, endedMs, audioS, workedS }) => ({
    arrivedS: (arrivedMs - firstMs) / 1_000,
    endedS: (endedMs - firstMs) / 1_000,
    audioS,
    workedS,
  }));
}

/** Sends a recording, again when the service asks for that; returns its id. */
async function submit(baseUrl: string, audio: Uint8Array, fields: Record<string, string>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await request(`${baseUrl}/api/stt`, submission(audio, fields));
    if (answer.status === 200) return requestIdOf(answer);
    console.error(`  a recording was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    if (answer.status !== 503 || attempt === ATTEMPTS) {
      throw new AppError('internal_error', 'A recording was not accepted.', { cause: answer.body });
    }
    await sleep(RETRY_MS);
  }
}

async function waitUntilCompleted(baseUrl: string, id: string, key: string): Promise<void> {
  const url = `${baseUrl}/api/speech-to-text/get-result?id=${id}`;
  const deadlineMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadlineMs) {
    const { body } = await request(url, { headers: { 'x-api-key': key } });
    const { status } = (body['transcription'] ?? {}) as { status?: string };
    if (status === 'completed') return;
    if (status === 'failed') throw new AppError('internal_error', 'A recording failed.', { cause: body });
    await sleep(POLL_MS);
  }
  throw new AppError('timed_out', 'A recording was not completed in time.');
}
