import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  untilFinal,
} from '../test/support/service.ts';
import { quantile, type Measurement } from './report.ts';
import { writeShortSpeech } from './sounds.ts';
import { generousPlan } from './plan.ts';

const RECORDINGS = 36;
/** Submitting at the same time, each one recording after the other: 36 uploads at once would all be late. */
const CLIENTS = 4;
const RECORDING_SECONDS = 60;
const ROUNDS = 3;
const GOAL = 0.95;

/**
 * The whole service (uploads, database, queue, supervised worker, polling) against a bare loop that decodes and recognises the
 * same file as often, in one process, with the same engine. Rounds of both alternate.
 */
export async function measureThroughput(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'speech.mp3');
  await writeShortSpeech(path, RECORDING_SECONDS);
  const audio = new Uint8Array(await readFile(path));
  const service = await startService(join(folder.path, 'data'), {
    WORKERS: '1',
    PLANS_FILE: await generousPlan(folder.path),
  });
  const ratios: number[] = [];
  const speeds: number[] = [];
  try {
    await throughService(service.baseUrl, audio, 2);
    for (let round = 0; round < ROUNDS; round += 1) {
      const bareSeconds = await bareLoop(path, RECORDINGS);
      const serviceSeconds = await throughService(service.baseUrl, audio, RECORDINGS);
      ratios.push(bareSeconds / serviceSeconds);
      speeds.push((RECORDINGS * RECORDING_SECONDS) / serviceSeconds);
    }
  } finally {
    await service.stop();
  }
  const ratio = quantile(ratios, 0.5);
  return [
    { what: 'service throughput ÷ bare loop, median', value: ratio.toFixed(3), goal: `≥ ${GOAL}`, met: ratio >= GOAL },
    {
      what: 'service throughput, one worker',
      value: `${quantile(speeds, 0.5).toFixed(0)} × real time`,
      goal: '≥ 50 ×',
      met: quantile(speeds, 0.5) >= 50,
    },
  ];
}

async function throughService(baseUrl: string, audio: Uint8Array, count: number): Promise<number> {
  const startedMs = performance.now();
  const ids: string[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      ids.push(requestIdOf(await request(`${baseUrl}/api/stt`, submission(audio))));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const id of ids) {
    const record = await untilFinal(baseUrl, id, { timeoutMs: 600_000 });
    if (record['status'] !== 'completed') throw new Error(`a transcription failed: ${JSON.stringify(record)}`);
  }
  return (performance.now() - startedMs) / 1_000;
}

/** Seconds that the loop itself took, in a process of its own, model loading left out on both sides. */
async function bareLoop(path: string, count: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-loop.ts'), path, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return Number(output.trim());
}
