import type { Agent } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from '../plan.ts';
import { descendants, treeRssBytes } from '#testbed/service/process-tree.ts';
import type { Measurement } from '../report.ts';
import { begin, createAgent, formOf, scoreMany, scoreOnce } from './client.ts';
import { makeRecordings } from './recordings.ts';

const MIB = 1_024 ** 2;
const REQUESTS = 1_000;
/**
 * Number of requests after which processes have loaded all languages and filled their young
 * generation.
 */
const WARM_UP = 600;
const AT_A_TIME = 8;
const GOAL_GROWTH_MIB = 32;

type State = { rssBytes: number; openFiles: number; processes: number };

/** Memory, files and processes left after a thousand requests, a third of them aborted. */
export async function measureScoringMemory(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const service = await startService(dataDir, { PLANS_FILE: await generousPlan(folder.path) });
  const pid = service.process.pid!;
  try {
    const forms = (await makeRecordings(service.baseUrl, folder.path)).map(formOf);
    // Warm-up: processes, models and compiled code are allocated once.
    for (const form of forms) await scoreMany([service.baseUrl], form, { count: 100, clients: AT_A_TIME });
    await pass(WARM_UP, service.baseUrl, forms);
    const before = await settledState(pid);
    await pass(REQUESTS, service.baseUrl, forms);
    const after = await settledState(pid);
    const incoming = readdirSync(join(dataDir, 'incoming'), { recursive: true, withFileTypes: true });
    const left = incoming.filter((entry) => entry.isFile()).length;
    const growth = (after.rssBytes - before.rssBytes) / MIB;
    const more = [after.openFiles - before.openFiles, after.processes - before.processes] as const;
    return [
      {
        label: `growth over ${REQUESTS} scores, a third of them aborted`,
        value: `${growth.toFixed(1)} MiB (of ${(before.rssBytes / MIB).toFixed(0)}), ${more[0]} open files, ${more[1]} processes`,
        goal: `≤ ${GOAL_GROWTH_MIB} MiB, 0, 0`,
        met: growth <= GOAL_GROWTH_MIB && more.every((count) => count <= 0),
      },
      { label: 'uploads left behind', value: String(left), goal: '0', met: left === 0 },
    ];
  } finally {
    await service.stop();
  }
}

/**
 * Sends `count` requests; one in six is aborted during the upload, one in six during the scoring.
 */
async function pass(count: number, baseUrl: string, forms: readonly Buffer[]): Promise<void> {
  const agent = createAgent();
  await inParallel([...Array(count).keys()], AT_A_TIME, async (index) => {
    const form = forms[index % forms.length]!;
    if (index % 6 === 1) await disconnect(baseUrl, agent, form, form.length >> 1, 5);
    else if (index % 6 === 4) await disconnect(baseUrl, agent, form, form.length, 15);
    else await scoreOnce(baseUrl, agent, form);
  });
  agent.destroy();
}

/** Sends part of a form, waits and disconnects. */
async function disconnect(
  baseUrl: string,
  agent: Agent,
  form: Buffer,
  sentBytes: number,
  afterMs: number,
): Promise<void> {
  const call = begin(baseUrl, agent, form);
  // Destroying the request emits an error.
  call.on('error', () => {});
  call.write(form.subarray(0, sentBytes));
  await sleep(afterMs);
  // `once` of node:events would reject with that error.
  const closed = new Promise((resolve) => call.once('close', resolve));
  call.destroy();
  await closed;
}

/** The usage of the service and its processes once its memory no longer falls. */
async function settledState(pid: number): Promise<State> {
  let rssBytes = treeRssBytes(pid);
  for (let look = 0; look < 10; look += 1) {
    await sleep(500);
    rssBytes = Math.min(rssBytes, treeRssBytes(pid));
  }
  return { rssBytes, openFiles: readdirSync(`/proc/${pid}/fd`).length, processes: descendants(pid).length };
}
