import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mean, median, quantile } from '@jyutsing/numeric/statistics';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from '../plan.ts';
import { medianWithSpread, type Measurement } from '../report.ts';
import { runBareScorers, type BareScores } from './bare.ts';
import { formOf, scoreMany } from './client.ts';
import { makeRecordings, type Recording } from './recordings.ts';
import { startServers } from '../start-servers.ts';

const ROUNDS = 5;
const BARE_SECONDS = 2;
const REQUESTS = 40;
const CLIENTS = 8;
const GOAL_RATIO = 1.5;
/**
 * Smallest part of the throughput of the bare steps (sentences) or of bare HTTP servers (all
 * recordings).
 */
const GOAL_THROUGHPUT = 0.9;
const GOAL_MS = 150;

type Round = {
  bare: BareScores;
  single: number[];
  concurrent: number[];
  perSecond: number;
  barePerSecond: number;
  serversPerSecond: number;
};

/**
 * The latency of scoring requests, one and eight at a time, compared with the bare steps (text,
 * decoding, analysis, assessment) in one process and in one process per core, alone and behind bare
 * HTTP servers with the same clients. Rounds alternate.
 */
export async function measureScoringLatency(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const cores = availableParallelism();
  const service = await startService(join(folder.path, 'data'), {
    PLANS_FILE: await generousPlan(folder.path),
    WORKERS: String(cores),
  });
  const measurements: Measurement[] = [];
  try {
    const recordings = await makeRecordings(service.baseUrl, folder.path);
    // Warm-up: every process loads every language.
    for (const recording of recordings)
      await scoreMany([service.baseUrl], formOf(recording), { count: 60, clients: 8 });
    for (const recording of recordings) {
      using servers = await startServers(join(import.meta.dirname, 'bare-server.ts'), [recording.language]);
      await scoreMany(servers.urls, formOf(recording), { count: 60, clients: CLIENTS });
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await measureOnce(service.baseUrl, servers.urls, recording, cores));
      }
      measurements.push(...report(recording, rounds, cores));
    }
  } finally {
    await service.stop();
  }
  return measurements;
}

async function measureOnce(
  baseUrl: string,
  bareUrls: readonly string[],
  recording: Recording,
  cores: number,
): Promise<Round> {
  const form = formOf(recording);
  const [bare] = await runBareScorers(recording, { seconds: BARE_SECONDS, processes: 1 });
  const { timesMs: single } = await scoreMany([baseUrl], form, { count: REQUESTS, clients: 1 });
  const bares = await runBareScorers(recording, { seconds: BARE_SECONDS, processes: cores });
  const many = { count: REQUESTS * 4, clients: CLIENTS };
  const served = await scoreMany(bareUrls, form, many);
  const concurrent = await scoreMany([baseUrl], form, many);
  return {
    bare: bare!,
    single,
    concurrent: concurrent.timesMs,
    perSecond: concurrent.timesMs.length / concurrent.seconds,
    serversPerSecond: served.timesMs.length / served.seconds,
    barePerSecond: bares.reduce((sum, { allMs }) => sum + 1_000 / mean(allMs), 0),
  };
}

function report({ name, durationMs }: Recording, rounds: readonly Round[], cores: number): Measurement[] {
  const part = (key: keyof BareScores) =>
    quantile(
      rounds.flatMap(({ bare }) => bare[key]),
      0.5,
    );
  const single = rounds.flatMap((round) => round.single);
  const concurrent = rounds.flatMap((round) => round.concurrent);
  const [p50, p95, bareMs] = [median(single), quantile(single, 0.95), part('allMs')];
  const ratio = p50 / bareMs;
  const served = quantile(
    rounds.map(({ perSecond }) => perSecond),
    0.5,
  );
  const throughputs = rounds.map(({ perSecond, barePerSecond }) => perSecond / barePerSecond);
  const ofServers = rounds.map(({ perSecond, serversPerSecond }) => perSecond / serversPerSecond);
  const isLong = durationMs > 1_000;
  const ms = (key: keyof BareScores) => part(key).toFixed(1);
  return [
    {
      label: `${name} (${(durationMs / 1_000).toFixed(1)} s of audio): one at a time, p50`,
      value: `${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)}`,
      goal: `≤ ${GOAL_MS} ms`,
      met: p50 <= GOAL_MS,
    },
    {
      label: '  ÷ the bare steps',
      value: `${ratio.toFixed(2)} (${bareMs.toFixed(1)} ms: text ${ms('readTextMs')}, sound ${ms('readSoundMs')}, analysis ${ms('analyzeMs')}, assessment ${ms('assessMs')}; acoustic model alone ${ms('acousticMs')})`,
      // The overhead of a request is a few milliseconds, a large share for a single syllable.
      goal: isLong ? `≤ ${GOAL_RATIO}` : '–',
      met: !isLong || ratio <= GOAL_RATIO,
    },
    {
      label: `  ${CLIENTS} at a time, p50`,
      value: `${median(concurrent).toFixed(1)} ms, p95 ${quantile(concurrent, 0.95).toFixed(1)}; ${served.toFixed(1)} a second`,
      goal: '–',
      met: true,
    },
    {
      label: `  requests a second ÷ the bare steps on ${cores} cores`,
      value: medianWithSpread(throughputs),
      goal: isLong ? `≥ ${GOAL_THROUGHPUT}` : '–',
      met: !isLong || median(throughputs) >= GOAL_THROUGHPUT,
    },
    {
      label: '  ÷ bare HTTP servers of the bare steps, for the same clients',
      value: medianWithSpread(ofServers),
      goal: `≥ ${GOAL_THROUGHPUT}`,
      met: median(ofServers) >= GOAL_THROUGHPUT,
    },
  ];
}
