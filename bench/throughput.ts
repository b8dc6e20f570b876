import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request, requestIdOf, startService, submission, temporaryFolder, waitForResult } from '#test/service.ts';
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
 * same file as often, in one process, with the same engine; and the service with fusion against itself without. Rounds alternate.
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
  const fusionShares: number[] = [];
  const through = (name: string, count: number, isFused: boolean) =>
    throughService(service.baseUrl, audio, { name, count, isFused });
  try {
    await through('warm-up', 2, true);
    for (let round = 0; round < ROUNDS; round += 1) {
      const bareSeconds = await bareLoop(path, RECORDINGS);
      const serviceSeconds = await through(`plain ${round}`, RECORDINGS, false);
      const fusedSeconds = await through(`fused ${round}`, RECORDINGS, true);
      ratios.push(bareSeconds / serviceSeconds);
      speeds.push((RECORDINGS * RECORDING_SECONDS) / serviceSeconds);
      fusionShares.push(fusedSeconds / serviceSeconds - 1);
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
    {
      what: 'time that fusion adds to it',
      value: `${(quantile(fusionShares, 0.5) * 100).toFixed(0)} %`,
      goal: '≤ 15 %',
      met: quantile(fusionShares, 0.5) <= 0.15,
    },
  ];
}

async function throughService(
  baseUrl: string,
  audio: Uint8Array,
  { name, count, isFused }: { name: string; count: number; isFused: boolean },
): Promise<number> {
  const startedMs = performance.now();
  const ids: string[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      // A context of its own makes each a recording that was not heard before.
      const fields = { context: `${name}, ${left}`, skip_fusion: String(!isFused) };
      ids.push(requestIdOf(await request(`${baseUrl}/api/stt`, submission(audio, fields))));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const id of ids) {
    const record = await waitForResult(baseUrl, id, { timeoutMs: 600_000 });
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
