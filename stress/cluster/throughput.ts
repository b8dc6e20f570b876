import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from '../../bench/report.ts';
import { fitService, serviceOf, type MeasuredRun } from '../../scripts/simulate/measured-runs.ts';
import { mean } from '@jyutsing/numeric/statistics';
import { createRandom } from '#packages/numeric/random.ts';
import { poissonTimes } from '../../scripts/simulate/random.ts';
import type { Cluster } from './cluster.ts';
import { countConnections } from './count-connections.ts';
import { createMachine, type Machine } from './machines.ts';
import { cpuSecondsOf, machineCpuSeconds, ourCpuSeconds, postgresCpuSeconds } from './processor-time.ts';
import type { Recording } from './recordings.ts';
import { sendRecordings } from './send-recordings.ts';

/** CPU seconds by what used them. */
export type CpuUse = {
  /**
   * The processes of the role transcribe, without their workers: queue, database, download of the
   * recordings.
   */
  transcribe: number;
  /** The worker processes of that role, which recognize speech. */
  recognition: number;
  api: number;
  postgres: number;
  /** All programs on the machine that are no part of the measurement. */
  others: number;
};

export type ThroughputRun = MeasuredRun & {
  audioSeconds: number;
  cpuSeconds: CpuUse;
  /** Connections to PostgreSQL after the run, those of the API processes included. */
  connections: number;
  /** CPU seconds per second of all processes of the role transcribe while they do nothing. */
  idleCpu: number;
};

/** Part by which CPU seconds per audio second may grow with more workers. */
const MAY_GROW = 0.15;
/** Part of the time in which recordings that arrive at random times keep the workers busy. */
const UTILIZATION = 0.6;
/**
 * Recordings of every worker before the measurement: the first ones cost more, because the worker
 * loads its models and V8 compiles its code.
 */
const WARM_UP_EACH = 12;
const SETTLE_MS = 2_000;
const IDLE_MS = 5_000;
const WORKERS = [1, 2, 4];
/** Part of the processors that programs beside the cluster may use; otherwise a run is repeated. */
const OTHERS_MAY_USE = 0.05;
const ATTEMPTS = 3;
/** On a machine that is never quiet, waiting and repeating ends after this time for all runs. */
const QUIET_WITHIN_MS = 90_000;
const QUIET_FOR_MS = 1_500;

/**
 * Transcribes `count` recordings with 1, 2 and 4 processes that do nothing else: all at once, and
 * with the numbers in `randomly` also at random times.
 */
export async function measureThroughput(
  cluster: Cluster,
  recordings: readonly Recording[],
  { count, seed, randomly }: { count: number; seed: number; randomly: readonly number[] },
): Promise<ThroughputRun[]> {
  const mixed = (length: number) => Array.from({ length }, (_, index) => recordings[index % recordings.length]!);
  const runs: ThroughputRun[] = [];
  const quietByMs = performance.now() + QUIET_WITHIN_MS;
  for (const workers of WORKERS) {
    const machines = Array.from({ length: workers }, (_, index) =>
      createMachine(`worker-${10 * workers + index}`, 'transcribe', cluster.options),
    );
    await Promise.all(machines.map((machine) => machine.start()));
    await sendRecordings(cluster, mixed(workers * WARM_UP_EACH), atOnce(workers * WARM_UP_EACH));
    const idleCpu = await measureIdle(machines);
    const measure = async (arrivals: MeasuredRun['arrivals'], atS: readonly number[]) => {
      const measured = await measureQuietly(quietByMs, () => measureRun(cluster, machines, mixed(atS.length), atS));
      runs.push({ workers, arrivals, idleCpu, ...measured });
      console.error(`  ${viewRun(runs.at(-1)!)}`);
    };
    await measure('at once', atOnce(count));
    if (randomly.includes(workers)) {
      const alone = fitService(runs[0]!.jobs);
      const perSecond = (UTILIZATION * workers) / mean(mixed(count).map(({ seconds }) => serviceOf(alone, seconds)));
      await measure('Poisson', poissonTimes(count * workers, perSecond, createRandom(seed)));
    }
    await Promise.all(machines.map((machine) => machine.stop()));
  }
  return runs;
}

/** CPU seconds of the processes for each second of the recordings. */
function cpuPerAudioSecond({ cpuSeconds, audioSeconds }: ThroughputRun): number {
  return (cpuSeconds.transcribe + cpuSeconds.recognition) / audioSeconds;
}

export function viewThroughput(runs: readonly ThroughputRun[]): Measurement[] {
  const bursts = runs.filter(({ arrivals }) => arrivals === 'at once');
  const most = cpuPerAudioSecond(bursts[0]!) * (1 + MAY_GROW);
  return bursts.map((run) => ({
    label: `CPU seconds per audio second with ${run.workers} of the role transcribe`,
    value: `${cpuPerAudioSecond(run).toFixed(4)} (${(run.audioSeconds / run.wallSeconds).toFixed(0)} × real time)`,
    goal: `≤ ${most.toFixed(4)}`,
    met: cpuPerAudioSecond(run) <= most,
  }));
}

const atOnce = (count: number) => Array.from({ length: count }, () => 0);

/** Measures again while others use the machine; returns the attempt in which they used least. */
async function measureQuietly(
  quietByMs: number,
  measure: () => ReturnType<typeof measureRun>,
): ReturnType<typeof measureRun> {
  const shareOfOthers = ({ cpuSeconds, wallSeconds }: Awaited<ReturnType<typeof measure>>) =>
    cpuSeconds.others / (wallSeconds * availableParallelism());
  const attempts = [];
  const mayRepeat = () => attempts.length < ATTEMPTS && performance.now() < quietByMs;
  do {
    await untilQuiet(quietByMs);
    attempts.push(await measure());
  } while (mayRepeat() && shareOfOthers(attempts.at(-1)!) > OTHERS_MAY_USE);
  return attempts.toSorted((a, b) => shareOfOthers(a) - shareOfOthers(b))[0]!;
}

async function untilQuiet(quietByMs: number): Promise<void> {
  while (performance.now() < quietByMs) {
    const before = machineCpuSeconds() - ourCpuSeconds();
    await sleep(QUIET_FOR_MS);
    const used = machineCpuSeconds() - ourCpuSeconds() - before;
    if (used / ((QUIET_FOR_MS / 1_000) * availableParallelism()) < OTHERS_MAY_USE) return;
  }
}

async function measureRun(
  cluster: Cluster,
  machines: readonly Machine[],
  recordings: readonly Recording[],
  atS: readonly number[],
) {
  const before = readCpu(cluster, machines);
  const jobs = await sendRecordings(cluster, recordings, atS);
  const after = readCpu(cluster, machines);
  const used = (what: keyof CpuUse) => after[what] - before[what];
  return {
    jobs,
    audioSeconds: recordings.reduce((total, { seconds }) => total + seconds, 0),
    wallSeconds: Math.max(...jobs.map(({ endedS }) => endedS)),
    connections: await countConnections(cluster),
    cpuSeconds: {
      transcribe: used('transcribe'),
      recognition: used('recognition'),
      api: used('api'),
      postgres: used('postgres'),
      others: used('others'),
    },
  };
}

function readCpu(cluster: Cluster, machines: readonly Machine[]): CpuUse {
  const pids = machines.map((machine) => machine.pids());
  const apis = cluster.machines.flatMap((machine) => machine.pids().service);
  return {
    transcribe: cpuSecondsOf(pids.flatMap(({ service }) => service)),
    recognition: cpuSecondsOf(pids.flatMap(({ workers }) => workers)),
    api: cpuSecondsOf(apis),
    postgres: postgresCpuSeconds(),
    others: machineCpuSeconds() - ourCpuSeconds(),
  };
}

async function measureIdle(machines: readonly Machine[]): Promise<number> {
  await sleep(SETTLE_MS);
  const pids = machines.flatMap((machine) => Object.values(machine.pids()).flat());
  const before = cpuSecondsOf(pids);
  await sleep(IDLE_MS);
  return (cpuSecondsOf(pids) - before) / (IDLE_MS / 1_000);
}

function viewRun(run: ThroughputRun): string {
  const { workers, arrivals, jobs, wallSeconds, cpuSeconds, connections, idleCpu } = run;
  const parts = Object.entries(cpuSeconds).map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`);
  return (
    `${jobs.length} recordings, ${arrivals}, ${workers} × transcribe: ${wallSeconds.toFixed(1)} s; ` +
    `CPU seconds: ${parts.join(', ')}; ${connections} connections; idle ${(100 * idleCpu).toFixed(1)} % of a processor`
  );
}
