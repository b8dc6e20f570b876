import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '#testbed/service/service.ts';
import { startVideoPlatform } from '#testbed/video-platform/server.ts';
import { startWithNpm } from './npm-service.ts';
import { generousPlan } from './plan.ts';
import { descendants, treePssBytes } from '#testbed/service/process-tree.ts';
import { explainMemory, printMemory, type ProcessMemory } from './memory-explanation.ts';
import type { Measurement } from './report.ts';
import { createRequests, type Send } from './request-kinds.ts';

const MIB = 1_024 ** 2;
const LOAD_SECONDS = 75;
const CLIENTS = 5;
/** After this time a process has freed the garbage of its start or last request. */
const SETTLE_MS = 6_000;

/**
 * Proportional set size of the process tree of `npm start` with default settings: idle, after one
 * request of each kind, and the peak while clients send all kinds of requests. `isExplained`: what
 * holds it is printed for each process.
 */
export async function measureServiceMemory(isExplained: boolean): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const platform = await startVideoPlatform();
  const service = await startWithNpm(join(folder.path, 'data'), {
    PLANS_FILE: await generousPlan(folder.path),
    YOUTUBE_BASE_URL: platform.baseUrl,
  });
  const processCount = () => `${descendants(service.pid).length + 1} processes`;
  try {
    await sleep(SETTLE_MS);
    const idle = treePssBytes(service.pid);
    const idleTree = processCount();
    if (isExplained) printMemory('Idle', explainMemory(service.pid));
    const requests = await createRequests(service.baseUrl, folder.path);
    for (const send of requests) await send();
    await sleep(SETTLE_MS);
    const used = treePssBytes(service.pid);
    const usedTree = processCount();
    if (isExplained) printMemory('After one request of each kind', explainMemory(service.pid));
    const { peak, count, atPeak } = await peakUnderLoad(service.pid, requests, isExplained);
    if (isExplained) printMemory('At the peak', atPeak);
    return [
      report(`memory, idle (npm start, ${idleTree})`, idle, 250),
      report(`memory after one request of each kind (${usedTree})`, used, 600),
      report(
        `peak memory, ${CLIENTS} at a time for ${LOAD_SECONDS} s (${count} requests, ${processCount()})`,
        peak,
        1_000,
      ),
    ];
  } finally {
    await service.stop();
    await platform.close();
  }
}

function report(label: string, bytes: number, goalMib: number): Measurement {
  const mib = bytes / MIB;
  return { label, value: `${mib.toFixed(0)} MiB`, goal: `≤ ${goalMib} MiB`, met: mib <= goalMib };
}

type Peak = { peak: number; atPeak: ProcessMemory[]; count: number };

async function peakUnderLoad(pid: number, requests: readonly Send[], isExplained: boolean): Promise<Peak> {
  const endMs = performance.now() + LOAD_SECONDS * 1_000;
  let peak = 0;
  let atPeak: ProcessMemory[] = [];
  const look = () => {
    const bytes = treePssBytes(pid);
    if (bytes <= peak) return;
    peak = bytes;
    if (isExplained) atPeak = explainMemory(pid);
  };
  const watch = setInterval(look, 500);
  let count = 0;
  const client = async (_: unknown, index: number) => {
    for (let next = index; performance.now() < endMs; next += 1) {
      await requests[next % requests.length]?.();
      count += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  } finally {
    clearInterval(watch);
  }
  return { peak, atPeak, count };
}
