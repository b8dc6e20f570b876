import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from '../../bench/report.ts';
import { median, quantile } from '@jyutsing/numeric/statistics';
import type { Cluster } from './cluster.ts';
import { listFaults } from './faults.ts';
import { sendLoad } from './load.ts';
import { makeRecordings } from './recordings.ts';
import { referenceTexts, verifyLoad, verifyRateLimit } from './verify.ts';

export type FaultOptions = { minutes: number; faultEveryMs: number; seed: number };

/**
 * Sends mixed load while something dies again and again, and compares what clients got with what
 * the cluster shows. `figures` has times in milliseconds since the load began.
 */
export async function runUnderFaults(cluster: Cluster, { minutes, faultEveryMs, seed }: FaultOptions) {
  const keys = { transcription: await cluster.newKey('load'), speech: await cluster.newKey('load') };
  const recordings = await makeRecordings();
  const texts = await referenceTexts(cluster, keys.transcription, recordings);
  const limitBefore = await verifyRateLimit(cluster, 'before');

  const startedMs = performance.now();
  const endMs = startedMs + minutes * 60_000;
  const happened: { atMs: number; tookMs: number; name: string }[] = [];
  const loading = sendLoad(cluster, keys, recordings, () => performance.now() >= endMs);
  const faults = listFaults(cluster.machines, cluster.database, cluster.s3, seed);
  for (let index = 0; ; index += 1) {
    const nextMs = startedMs + (index + 1) * faultEveryMs;
    if (nextMs >= endMs) break;
    await sleep(Math.max(0, nextMs - performance.now()));
    const fault = faults[index % faults.length]!;
    const atMs = performance.now() - startedMs;
    await fault.run();
    const tookMs = performance.now() - startedMs - atMs;
    happened.push({ atMs, tookMs, name: fault.name });
    console.error(`  ${(atMs / 1_000).toFixed(0)} s: ${fault.name}, repaired after ${(tookMs / 1_000).toFixed(1)} s`);
  }
  const load = await loading;
  const loadSeconds = (performance.now() - startedMs) / 1_000;
  const killedMs = happened.flatMap(({ atMs, name }) => (name.endsWith('SIGKILL') ? [atMs] : []));
  const verified = await verifyLoad(cluster, keys, load, texts, killedMs);
  const results: Measurement[] = [...verified, limitBefore, await verifyRateLimit(cluster, 'after')];
  const tookSeconds = load.accepted.map(({ arrivedMs, endedMs }) => (endedMs - arrivedMs) / 1_000);
  const summary =
    `${load.accepted.length} transcriptions (p50 ${median(tookSeconds).toFixed(1)} s, p99 ` +
    `${quantile(tookSeconds, 0.99).toFixed(1)} s), ${load.speech.length} streams, ${load.scores.length} scores, ` +
    `${cluster.receiver.received.length} deliveries, ${happened.length} faults, ${load.retries} requests sent again`;
  const transcriptions = load.accepted.map(({ arrivedMs, endedMs, recording, record }) => ({
    arrivedMs,
    endedMs,
    audioSeconds: recording.seconds,
    serviceSeconds: Number(record?.['processing_time'] ?? Number.NaN),
  }));
  const { speech, scores, retries } = load;
  return { results, summary, figures: { loadSeconds, faults: happened, transcriptions, speech, scores, retries } };
}
