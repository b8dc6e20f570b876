// `npm run cluster-test`: two API processes and workers of different roles on PostgreSQL and S3,
// under mixed load, while something dies every minute; then what the processes use of processors,
// with known arrivals. Exit status 1 when anything was lost, done twice, charged wrongly or out of
// order, or when more processes cost more.
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { printReport } from '../../bench/report.ts';
import { measureApiCosts, viewApiCosts } from './api-costs.ts';
import { startCluster } from './cluster.ts';
import { makeMeasuredRecordings } from './recordings.ts';
import { measureThroughput, viewThroughput } from './throughput.ts';
import { runUnderFaults } from './under-faults.ts';

const USAGE =
  'usage: npm run cluster-test -- [--only faults|throughput] [--minutes 20] [--workers 4] [--seed 1] [--quick] [--json FILE]';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    workers: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    /** Runs only `faults` or only `throughput`. */
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const [workers, seed] = [Number(options.workers), Number(options.seed)];
const minutes = options.quick ? 2 : Number(options.minutes);
const isKnown = options.only === undefined || ['faults', 'throughput'].includes(options.only);
if (![minutes, workers, seed].every((value) => value > 0) || !isKnown) {
  console.error(USAGE);
  process.exit(2);
}
// Processes that were started end with this one, but not at its death by a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
/** The quick run has as many faults as it can in its time. */
const FAULT_EVERY_MS = options.quick ? 12_000 : 60_000;

const parts = [
  ...(options.only === 'throughput' ? [] : [await testFaults()]),
  ...(options.only === 'faults' ? [] : [await measure()]),
];
const results = parts.flatMap((part) => part.results);
printReport(results);
console.log(`\n${parts.map(({ summary }) => summary).join('\n')}`);
if (options.json !== undefined) {
  const about = { options: { minutes, workers, seed }, processors: availableParallelism() };
  const figures = Object.assign(about, ...parts.map((part) => part.figures), { results });
  await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
}
// The database server of the tests would keep the process alive; it ends with the process.
process.exit(results.every(({ met }) => met) ? 0 : 1);

async function testFaults() {
  await using cluster = await startCluster(workers, 'through proxies');
  const { description } = cluster.options.network;
  console.error(`processes of one machine, ${description} (seed ${seed}):`);
  for (const { name, roles } of cluster.machines) console.error(`  ${name}: ${roles}`);
  const tested = await runUnderFaults(cluster, { minutes, faultEveryMs: FAULT_EVERY_MS, seed });
  const machines = cluster.machines.map(({ name, roles }) => ({ name, roles }));
  return { ...tested, figures: { machines, ...tested.figures } };
}

async function measure() {
  await using cluster = await startCluster(0, 'direct');
  const recordings = await makeMeasuredRecordings(cluster.options.folder);
  const apiCosts = await measureApiCosts(cluster, recordings[0]!);
  const throughput = await measureThroughput(cluster, recordings, {
    count: options.quick ? 15 : 30,
    seed,
    // More workers than processors would say nothing about waiting.
    randomly: options.quick ? [2] : [1, 2],
  });
  return { results: viewThroughput(throughput), summary: viewApiCosts(apiCosts), figures: { apiCosts, throughput } };
}
