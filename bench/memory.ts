import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#testbed/service/service.ts';
import { treeRssBytes } from '#testbed/service/process-tree.ts';
import { generousPlan } from './plan.ts';
import type { Measurement } from './report.ts';
import { writeLongSpeech } from './sounds.ts';

const MIB = 1_024 ** 2;
const GOAL_MIB = 50;

/**
 * Peak resident memory of the service and its workers during a 3-hour transcription, minus that
 * during a 3-minute one, without and with fusion. Each uses a new service with loaded models.
 */
export async function measureMemory(): Promise<Measurement[]> {
  return [await measureGrowth('without fusion', false), await measureGrowth('with fusion', true)];
}

async function measureGrowth(mode: string, isFused: boolean): Promise<Measurement> {
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), {
    WORKERS: '1',
    PLANS_FILE: await generousPlan(folder.path),
  });
  const peakOf = async (seconds: number) => {
    const path = join(folder.path, `speech-${seconds}.wav`);
    await writeLongSpeech(path, seconds);
    return peakWhileTranscribing(service, path, isFused);
  };
  try {
    await peakOf(60);
    const short = await peakOf(3 * 60);
    const long = await peakOf(3 * 3_600);
    const growth = (long - short) / MIB;
    return {
      label: `peak memory of a 3-hour file − a 3-minute file, ${mode}`,
      value: `${growth.toFixed(0)} MiB (${(long / MIB).toFixed(0)} − ${(short / MIB).toFixed(0)})`,
      goal: `≤ ${GOAL_MIB} MiB`,
      met: growth <= GOAL_MIB,
    };
  } finally {
    await service.stop();
  }
}

async function peakWhileTranscribing(service: Service, path: string, isFused: boolean): Promise<number> {
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, treeRssBytes(service.process.pid!))), 50);
  try {
    const form = new FormData();
    form.append('api_key', OWNER_KEY);
    form.append('skip_fusion', String(!isFused));
    form.append('data', await openAsBlob(path), 'speech.wav');
    const submitted = await request(`${service.baseUrl}/api/stt`, { method: 'POST', body: form });
    const id = requestIdOf(submitted);
    const record = await waitForResult(service.baseUrl, id, { timeoutMs: 1_200_000 });
    if (record['status'] !== 'completed') throw new Error(`the transcription failed: ${String(record['error'])}`);
  } finally {
    clearInterval(watch);
  }
  return peak;
}
