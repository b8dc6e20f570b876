import type { Agent } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, temporaryFolder } from '#test/service.ts';
import { generousPlan } from '../plan.ts';
import { descendants, treeRssBytes } from '../processes.ts';
import type { Measurement } from '../report.ts';
import { begin, createAgent, formOf, scoreMany, scoreOnce } from './client.ts';
import { makeRecordings } from './recordings.ts';

const MIB = 1_024 ** 2;
const REQUESTS = 1_000;
/** Each process has to meet every language and to fill its young generation of garbage before it tells how large it is. */
const WARM_UP = 600;
const AT_A_TIME = 8;
const GOAL_GROWTH_MIB = 32;

type State = { rssBytes: number; openFiles: number; processes: number };

/** What is left of a thousand requests of which one third is cut off, in the upload or while it is scored. */
export async function measureScoringMemory(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const service = await startService(dataDir, { PLANS_FILE: await generousPlan(folder.path) });
  const pid = service.process.pid!;
  try {
    const forms = (await makeRecordings(service.baseUrl, folder.path)).map(formOf);
    // What is allocated once is allocated now: processes, models, compiled code.
    for (const form of forms) await scoreMany(service.baseUrl, form, { count: 100, clients: AT_A_TIME });
    await pass(WARM_UP, service.baseUrl, forms);
    const before = await settled(pid);
    await pass(REQUESTS, service.baseUrl, forms);
    const after = await settled(pid);
    const incoming = readdirSync(join(dataDir, 'incoming'), { recursive: true, withFileTypes: true });
    const left = incoming.filter((entry) => entry.isFile()).length;
    const growth = (after.rssBytes - before.rssBytes) / MIB;
    const more = [after.openFiles - before.openFiles, after.processes - before.processes] as const;
    return [
      {
        what: `growth over ${REQUESTS} scores, a third of them cut off`,
        value: `${growth.toFixed(1)} MiB (of ${(before.rssBytes / MIB).toFixed(0)}), ${more[0]} open files, ${more[1]} processes`,
        goal: `≤ ${GOAL_GROWTH_MIB} MiB, 0, 0`,
        met: growth <= GOAL_GROWTH_MIB && more.every((count) => count <= 0),
      },
      { what: 'uploads left behind', value: String(left), goal: '0', met: left === 0 },
    ];
  } finally {
    await service.stop();
  }
}

/** So many requests, some at a time. Of six clients one hangs up in the middle of its upload, one while its recording is scored. */
async function pass(count: number, baseUrl: string, forms: readonly Buffer[]): Promise<void> {
  const agent = createAgent();
  let next = 0;
  const client = async () => {
    for (let index = next++; index < count; index = next++) {
      const form = forms[index % forms.length]!;
      if (index % 6 === 1) await hangUp(baseUrl, agent, form, form.length >> 1, 5);
      else if (index % 6 === 4) await hangUp(baseUrl, agent, form, form.length, 15);
      else await scoreOnce(baseUrl, agent, form);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, client));
  agent.destroy();
}

/** Sends so much of a form, waits and goes. */
async function hangUp(baseUrl: string, agent: Agent, form: Buffer, sentBytes: number, afterMs: number): Promise<void> {
  const call = begin(baseUrl, agent, form);
  // Its own end is an error to it.
  call.on('error', () => {});
  call.write(form.subarray(0, sentBytes));
  await sleep(afterMs);
  // `once` of node:events would fail with that error.
  const closed = new Promise((resolve) => call.once('close', resolve));
  call.destroy();
  await closed;
}

/** What the service and its processes hold once it no longer falls. */
async function settled(pid: number): Promise<State> {
  let rssBytes = treeRssBytes(pid);
  for (let look = 0; look < 10; look += 1) {
    await sleep(500);
    rssBytes = Math.min(rssBytes, treeRssBytes(pid));
  }
  return { rssBytes, openFiles: readdirSync(`/proc/${pid}/fd`).length, processes: descendants(pid).length };
}
