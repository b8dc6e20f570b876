// `npm run cluster-test`: two API processes and workers of different roles on PostgreSQL and S3,
// under mixed load, while something dies every minute. Exit status 1 when anything was lost, done
// twice, charged wrongly or out of order.
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printReport, quantile } from '../../bench/report.ts';
import { startCluster } from './cluster.ts';
import { listFaults } from './faults.ts';
import { sendLoad } from './load.ts';
import { makeRecordings } from './recordings.ts';
import { measureThroughput, viewThroughput } from './throughput.ts';
import { referenceTexts, verifyLoad, verifyRateLimit } from './verify.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const [workers, seed] = [Number(options.workers), Number(options.seed)];
const minutes = options.quick ? 2 : Number(options.minutes);
if (![minutes, workers, seed].every((value) => value > 0)) {
  console.error('usage: npm run cluster-test -- [--minutes 20] [--workers 4] [--seed 1] [--quick] [--json FILE]');
  process.exit(2);
}
/** The quick run has as many faults as it can in its time. */
const FAULT_EVERY_MS = options.quick ? 12_000 : 60_000;
const LONG_RECORDINGS = options.quick ? 16 : 96;

await using cluster = await startCluster(workers);
console.error(`plain processes of one machine, each with a port and a data folder of its own (seed ${seed}):`);
for (const { name, roles } of cluster.machines) console.error(`  ${name}: ${roles}`);
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
  const nextMs = startedMs + (index + 1) * FAULT_EVERY_MS;
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
const limitAfter = await verifyRateLimit(cluster, 'after');
const throughput = await measureThroughput(cluster, await cluster.newKey('load'), LONG_RECORDINGS);
const results = [...verified, limitBefore, limitAfter, ...viewThroughput(throughput)];
printReport(results);
const tookSeconds = load.accepted.map(({ arrivedMs, endedMs }) => (endedMs - arrivedMs) / 1_000);
console.log(
  `\n${load.accepted.length} transcriptions (p50 ${quantile(tookSeconds, 0.5).toFixed(1)} s, p99 ` +
    `${quantile(tookSeconds, 0.99).toFixed(1)} s), ${load.speech.length} streams, ${load.scores.length} scores, ` +
    `${cluster.receiver.received.length} deliveries, ${happened.length} faults, ${load.retries} requests sent again`,
);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures(), null, 2)}\n`);
await cluster[Symbol.asyncDispose]();
// The database server of the tests would keep the process alive; it ends with the process.
process.exit(results.every(({ met }) => met) ? 0 : 1);

/** What a simulation of the cluster needs; times in milliseconds since the load began. */
function figures() {
  const transcriptions = load.accepted.map(({ arrivedMs, endedMs, recording, record }) => ({
    arrivedMs,
    endedMs,
    audioSeconds: recording.seconds,
    serviceSeconds: Number(record?.['processing_time'] ?? Number.NaN),
  }));
  return {
    options: { minutes, workers, seed },
    machines: cluster.machines.map(({ name, roles }) => ({ name, roles })),
    loadSeconds,
    faults: happened,
    transcriptions,
    speech: load.speech,
    scores: load.scores,
    retries: load.retries,
    throughput,
    results,
  };
}
