import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { quantile } from '@jyutsing/numeric/statistics';
import { temporaryFolder } from '#testbed/service/service.ts';
import { startWithNpm } from '../bench/npm-service.ts';
import { generousPlan } from '../bench/plan.ts';
import { descendants } from '#testbed/service/process-tree.ts';
import type { Measurement } from '../bench/report.ts';
import type { AttackCounts, AttackOrder } from './attack-worker.ts';
import { honestRequests } from './honest-clients.ts';

const MIB = 1_024 ** 2;
/**
 * Milliseconds of honest requests before the attack, so that their memory is not taken for the
 * attack's.
 */
const HONEST_ONLY_MS = 20_000;
const HEALTH_EVERY_MS = 50;
/** Limit of a measured answer; a slower one counts as this long. */
const HEALTH_PATIENCE_MS = 20_000;
const HONEST_PAUSE_MS = 500;

/**
 * Attacks without a key, beside honest clients: memory of the server process, time of /health, and
 * whether the honest requests succeed.
 */
export async function stressFrontDoor(order: Omit<AttackOrder, 'port'>): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startWithNpm(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  try {
    const honest = await honestRequests(service.baseUrl);
    for (const [name, ask] of Object.entries(honest)) {
      const { status, body } = await ask();
      if (status !== 200) throw new Error(`${name} fails without an attack: ${status} ${JSON.stringify(body)}`);
    }
    const serverPid = findServer(service.pid);
    const watch = async (work: () => Promise<AttackCounts>) => {
      const watched: Watched = { peakBytes: 0, healthMs: [], honest: 0, failed: [] };
      const running = new AbortController();
      const watching = Promise.all([
        watchMemory(serverPid, watched, running.signal),
        watchHealth(service.baseUrl, watched, running.signal),
        ...Object.entries(honest).map(([name, ask]) => keepAsking(name, ask, watched, running.signal)),
      ]);
      const counts = await work();
      running.abort();
      await watching;
      return { watched, counts };
    };
    const { watched: before } = await watch(() => sleep(HONEST_ONLY_MS, {}));
    const { watched, counts } = await watch(() => attack({ ...order, port: Number(new URL(service.baseUrl).port) }));
    for (const [name, { connections, answers }] of Object.entries(counts)) {
      console.error(`  ${name}: ${connections} connections; ${JSON.stringify(answers)}`);
    }
    for (const failure of new Set(watched.failed)) console.error(`  failed beside the attack: ${failure}`);
    return report(before, watched);
  } finally {
    await service.stop();
  }
}

type Watched = { peakBytes: number; healthMs: number[]; honest: number; failed: string[] };

function report(before: Watched, { peakBytes, healthMs, honest, failed }: Watched): Measurement[] {
  const grown = (peakBytes - before.peakBytes) / MIB;
  const [p99, max] = [quantile(healthMs, 0.99), Math.max(...healthMs)];
  return [
    {
      label: `peak memory of the server process, over ${(before.peakBytes / MIB).toFixed(0)} MiB without attack`,
      value: `+${grown.toFixed(0)} MiB`,
      goal: '≤ +100 MiB',
      met: grown <= 100,
    },
    {
      label: '/health without attack, 99th percentile',
      value: ms(quantile(before.healthMs, 0.99)),
      goal: '',
      met: before.failed.length === 0,
    },
    { label: `/health, 99th percentile of ${healthMs.length}`, value: ms(p99), goal: '≤ 250 ms', met: p99 <= 250 },
    { label: '/health, slowest', value: ms(max), goal: '≤ 1000 ms', met: max <= 1_000 },
    {
      label: `honest requests beside the attack, of ${honest}`,
      value: `${failed.length} failed`,
      goal: '0 failed',
      met: honest > 0 && failed.length === 0,
    },
  ];
}

const ms = (value: number) => `${value.toFixed(0)} ms`;

async function attack(order: AttackOrder): Promise<AttackCounts> {
  const worker = spawn(process.execPath, [join(import.meta.dirname, 'attack-worker.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(worker.stdout)) as AttackCounts;
}

/** The process that listens: npm and its shell are above it, worker processes below. */
function findServer(npmPid: number): number {
  const found = descendants(npmPid).find(
    (pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .some((part) => part.endsWith('server/main.ts')) &&
      !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('run.js'),
  );
  if (found === undefined) throw new Error('the server process was not found');
  return found;
}

/** Resident bytes of one process; 0 when it has ended. */
function rssBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

async function watchMemory(pid: number, watched: Watched, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    watched.peakBytes = Math.max(watched.peakBytes, rssBytes(pid));
    await pause(100, signal);
  }
}

async function watchHealth(baseUrl: string, { healthMs, failed }: Watched, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedMs = performance.now();
    try {
      const answer = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(HEALTH_PATIENCE_MS) });
      await answer.arrayBuffer();
      if (answer.status !== 200) failed.push(`/health: ${answer.status}`);
      healthMs.push(performance.now() - startedMs);
    } catch (error) {
      failed.push(`/health: ${reasonOf(error)}`);
      healthMs.push(HEALTH_PATIENCE_MS);
    }
    await pause(HEALTH_EVERY_MS, signal);
  }
}

async function keepAsking(
  name: string,
  ask: () => Promise<{ status: number; body: unknown }>,
  watched: Watched,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    watched.honest += 1;
    try {
      const { status, body } = await ask();
      if (status !== 200) watched.failed.push(`${name}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    } catch (error) {
      watched.failed.push(`${name}: ${reasonOf(error)}`);
    }
    await pause(HONEST_PAUSE_MS, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
