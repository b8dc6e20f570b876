import { mkdir } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { generousPlan } from '../bench/plan.ts';
import { median, quantile } from '@jyutsing/numeric/statistics';
import { goalOfZero, type Measurement } from '../bench/report.ts';
import { databasesToTest, type TestedDatabase } from '#testbed/servers/postgres.ts';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { startVideoPlatform } from '#testbed/video-platform/server.ts';
import { startWebhookReceiver } from '#testbed/servers/webhook-receiver.ts';
import { growthOf } from './slope.ts';
import { createSoakRequests } from './soak-requests.ts';
import { filesIn, openPostgresSampler, openSqliteSampler, sampleProcesses, type Sample } from './soak-samples.ts';

const MIB = 1_024 ** 2;
const SAMPLES = 240;
const ROWS = 10;
const GOAL_POLL_MS = 20;
/**
 * Length of a window: long enough for 600 polls, because of fewer the 99th percentile is nearly the
 * slowest.
 */
const POLL_WINDOW_MS = 60_000;
/** Part of the time in which models are loaded and caches filled. */
const WARM_UP = 1 / 3;

/**
 * Quantities that must not grow after the warm-up by more than `mayGrow`, an amount that does not
 * matter.
 */
const KINDS: readonly { label: string; of(sample: Sample): number; mayGrow(start: number): number }[] = [
  { label: 'memory (MiB)', of: ({ rssBytes }) => rssBytes / MIB, mayGrow: (start) => start * 0.05 },
  { label: 'open files', of: ({ files }) => files, mayGrow: () => 5 },
  { label: 'sockets', of: ({ sockets }) => sockets, mayGrow: () => 5 },
  { label: 'processes', of: ({ processes }) => processes, mayGrow: () => 0 },
  { label: 'connections to the database', of: ({ connections }) => connections, mayGrow: () => 2 },
  { label: 'write-ahead log (MiB)', of: ({ walBytes }) => walBytes / MIB, mayGrow: () => 8 },
];

/** The time of a poll's answer from the start of the soak, and the time that it took. */
type Poll = { atMs: number; ms: number };

type Options = {
  minutes: number;
  /** The name of a database; undefined for all databases. */
  only: string | undefined;
  /** Number of clients; a client sends its next request when the previous one is answered. */
  clients: number;
};

/**
 * Sends requests of all kinds for a time, on each database one after the other, or on the one named
 * alone. Throws for a database that is not here.
 */
export async function measureSoak({ minutes, only, clients }: Options): Promise<Measurement[]> {
  const databases = databasesToTest().filter(({ name }) => only === undefined || name === only);
  if (databases.length === 0) throw new RangeError(`there is no database "${only}" on this machine`);
  const measurements: Measurement[] = [];
  for (const database of databases) measurements.push(...(await soak(database, minutes, clients)));
  return measurements;
}

async function soak(database: TestedDatabase, minutes: number, clients: number): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  await using receiver = await startWebhookReceiver();
  const platform = await startVideoPlatform();
  const opened = await database.open();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const service = await startService(dataDir, {
    ...(opened.databaseUrl === null ? {} : { DATABASE_URL: opened.databaseUrl }),
    PLANS_FILE: await generousPlan(folder.path),
    YOUTUBE_BASE_URL: platform.baseUrl,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  });
  const sampler =
    opened.databaseUrl === null ? openSqliteSampler(dataDir) : await openPostgresSampler(opened.databaseUrl);
  const requests = Object.entries(await createSoakRequests(service.baseUrl, folder.path, receiver.baseUrl));
  const startMs = performance.now();
  const endMs = startMs + minutes * 60_000;
  const isOver = () => performance.now() >= endMs;
  const counts = new Map<string, { sent: number; failed: number }>();
  const client = async (_: unknown, index: number) => {
    for (let next = index; !isOver(); next += 1) {
      const [name, send] = requests[next % requests.length]!;
      const count = counts.get(name) ?? { sent: 0, failed: 0 };
      counts.set(name, count);
      count.sent += 1;
      await send().catch((error: unknown) => {
        count.failed += 1;
        if (count.failed <= 3) console.error(`  ${name}: ${String(error)}`);
      });
      // The receiver would keep the bodies of all deliveries.
      receiver.received.length = 0;
    }
  };
  const polls: Poll[] = [];
  const newPollMs: number[] = [];
  const poller = new Worker(join(import.meta.dirname, 'poll-latencies.ts'), { workerData: service.baseUrl });
  poller.on('message', (ms: number) => {
    polls.push({ atMs: performance.now() - startMs, ms });
    newPollMs.push(ms);
  });
  let pollError: unknown = null;
  poller.on('error', (error) => (pollError = error));
  // The clients have machines of their own elsewhere. What was started before keeps its priority:
  // the service, and the thread that polls.
  setPriority(constants.priority.PRIORITY_LOW);
  const samples: Sample[] = [];
  const sample = async () => {
    while (!isOver()) {
      await sleep((minutes * 60_000) / SAMPLES);
      if (pollError !== null) throw pollError;
      const pollP99Ms = quantile(newPollMs.splice(0), 0.99);
      const atSeconds = (performance.now() - startMs) / 1_000;
      const processes = sampleProcesses(service.process.pid ?? 0);
      samples.push({ atSeconds, ...processes, ...(await sampler.sample()), pollP99Ms });
    }
  };
  await Promise.all([...Array.from({ length: clients }, client), sample()]);
  await poller.terminate();
  await sleep(1_000);
  const left = filesIn(join(dataDir, 'incoming'));
  await sampler.close();
  await service.stop();
  await platform.close();
  await opened.close();
  printSamples(database.name, samples);
  const warmMs = minutes * 60_000 * WARM_UP;
  return [
    ...judge(database.name, samples, counts, requests.length, left),
    ...judgePolls(
      database.name,
      polls.filter(({ atMs }) => atMs >= warmMs),
    ),
  ];
}

function judge(
  name: string,
  samples: readonly Sample[],
  counts: ReadonlyMap<string, { sent: number; failed: number }>,
  kinds: number,
  left: number,
): Measurement[] {
  const all = [...counts.values()];
  const requestCount = all.reduce((total, counts) => total + counts.sent, 0);
  const failed = all.reduce((total, counts) => total + counts.failed, 0);
  const warm = samples.slice(Math.ceil(samples.length * WARM_UP));
  return [
    goalOfZero(`${name}: failed of ${requestCount} requests of ${kinds} kinds`, failed),
    goalOfZero(`${name}: kinds that were never sent`, kinds - counts.size),
    ...KINDS.map(({ label, of, mayGrow }) => {
      const { low, estimate, high } = growthOf(warm.map(of));
      const start = of(warm[0]!);
      const [from, to, by] = [low, high, estimate].map((value) => value.toFixed(1));
      return {
        label: `${name}: growth of ${label} after the warm-up, from ${start.toFixed(0)}`,
        value: `${by} (95 %: ${from} to ${to})`,
        goal: `≤ ${mayGrow(start).toFixed(1)}, or not above 0 by its interval`,
        met: estimate <= mayGrow(start) || low <= 0,
      };
    }),
    goalOfZero(`${name}: uploads left behind`, left),
  ];
}

/** The 99th percentile of all polls, and that of each minute (of all, in a shorter soak). */
function judgePolls(name: string, polls: readonly Poll[]): Measurement[] {
  const p99Of = (subset: readonly Poll[]) =>
    quantile(
      subset.map(({ ms }) => ms),
      0.99,
    );
  const byMinute = Map.groupBy(polls, ({ atMs }) => Math.floor(atMs / POLL_WINDOW_MS));
  const whole = [...byMinute.values()].slice(1, -1);
  const minutes = (whole.length === 0 ? [polls] : whole).map(p99Of);
  const all = p99Of(polls);
  const [typical, worst] = [median(minutes), Math.max(...minutes)];
  return [
    {
      label: `${name}: 99th percentile of ${polls.length} polls`,
      value: `${all.toFixed(1)} ms`,
      goal: `≤ ${GOAL_POLL_MS} ms`,
      met: all <= GOAL_POLL_MS,
    },
    {
      label: `${name}: the same in each of ${minutes.length} minutes, median and worst`,
      value: `${typical.toFixed(1)} ms, ${worst.toFixed(1)} ms`,
      goal: `≤ ${GOAL_POLL_MS} ms`,
      met: worst <= GOAL_POLL_MS,
    },
  ];
}

function printSamples(name: string, samples: readonly Sample[]): void {
  const every = Math.max(1, Math.floor(samples.length / ROWS));
  const rows = samples.filter((_, index) => index % every === every - 1);
  console.log(`${name}:`);
  console.table(
    rows.map((row) => ({
      seconds: Math.round(row.atSeconds),
      ...Object.fromEntries(KINDS.map(({ label, of }) => [label, Number(of(row).toFixed(0))])),
      'p99 of polls (ms)': Number(row.pollP99Ms.toFixed(1)),
    })),
  );
}
