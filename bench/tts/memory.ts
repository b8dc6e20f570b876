import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from '../plan.ts';
import { treeRssBytes } from '#testbed/service/process-tree.ts';
import type { Measurement } from '../report.ts';
import { anyVoice, cantoneseText, openStream, readToEnd } from './client.ts';

const MIB = 1_024 ** 2;
const HELD_STREAMS = 64;
const STREAMS = 1_000;
const AT_A_TIME = 8;
const GOAL_GROWTH_MIB = 32;

/**
 * Measures the memory of a stream whose client stops reading, and the memory left after a thousand
 * streams, half of them aborted.
 */
export async function measureSpeechMemory(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  const pid = service.process.pid!;
  try {
    const voice = await anyVoice(service.baseUrl);
    // Warm-up: models and compiled code are allocated once.
    await pass(200, service.baseUrl, voice);
    const before = await settledBytes(pid);
    const held = await Promise.all(
      Array.from({ length: HELD_STREAMS }, async (_, i) =>
        openStream(service.baseUrl, voice, await cantoneseText(20, i)),
      ),
    );
    await sleep(3_000);
    const perStream = (treeRssBytes(pid) - before) / HELD_STREAMS;
    for (const { response } of held) response.destroy();

    const [rssBefore, filesBefore] = [await settledBytes(pid), openFiles(pid)];
    await pass(STREAMS, service.baseUrl, voice);
    const growth = ((await settledBytes(pid)) - rssBefore) / MIB;
    const moreFiles = openFiles(pid) - filesBefore;
    return [
      {
        label: `memory of a stream whose client stopped reading (of ${HELD_STREAMS})`,
        value: `${(perStream / MIB).toFixed(2)} MiB`,
        goal: '≤ 2 MiB',
        met: perStream <= 2 * MIB,
      },
      {
        label: `growth over ${STREAMS} streams, half of them aborted`,
        value: `${growth.toFixed(1)} MiB, ${moreFiles} open files`,
        goal: `≤ ${GOAL_GROWTH_MIB} MiB, 0`,
        met: growth <= GOAL_GROWTH_MIB && moreFiles <= 0,
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Opens `count` streams; every second client disconnects after the first audio. */
async function pass(count: number, baseUrl: string, voice: string): Promise<void> {
  await inParallel([...Array(count).keys()], AT_A_TIME, async (index) => {
    const stream = await openStream(baseUrl, voice, await cantoneseText(2, index));
    if (index % 2 === 0) await readToEnd(stream);
    else stream.response.destroy();
  });
}

/** Resident memory of the service and its processes, once it has stopped falling. */
async function settledBytes(pid: number): Promise<number> {
  let lowest = treeRssBytes(pid);
  for (let look = 0; look < 10; look += 1) {
    await sleep(500);
    lowest = Math.min(lowest, treeRssBytes(pid));
  }
  return lowest;
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
