import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { median } from '@jyutsing/numeric/statistics';
import {
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { engineEnvironment } from './engine-environment.ts';
import { medianWithSpread, type Measurement } from './report.ts';
import { writeShortSpeech } from './sounds.ts';
import { generousPlan } from './plan.ts';

/** Recordings of a round; many short rounds are better, because the speed of a machine drifts. */
const RECORDINGS = 10;
/** Number of simultaneous uploads; more would delay one another. */
const CLIENTS = 4;
const RECORDING_SECONDS = 60;
const ROUNDS = 8;
const GOAL = 0.95;

/**
 * Compares the service (upload, database, queue, worker, polling) with a bare loop that decodes and
 * recognizes the same file as often in one process with the same engine; and the service with
 * fusion with the service without. Rounds alternate.
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
  const transcribeAll = (name: string, count: number, isFused: boolean) =>
    throughService(service.baseUrl, audio, { name, count, isFused });
  try {
    await transcribeAll('warm-up', 2, true);
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = () => bareLoop(path, RECORDINGS);
      const served = () => transcribeAll(`plain ${round}`, RECORDINGS, false);
      // The bare loop and the service take turns in going first.
      const isBareFirst = round % 2 === 0;
      const first = await (isBareFirst ? bare : served)();
      const second = await (isBareFirst ? served : bare)();
      const [bareSeconds, serviceSeconds] = isBareFirst ? [first, second] : [second, first];
      const fusedSeconds = await transcribeAll(`fused ${round}`, RECORDINGS, true);
      ratios.push(bareSeconds / serviceSeconds);
      speeds.push((RECORDINGS * RECORDING_SECONDS) / serviceSeconds);
      fusionShares.push(fusedSeconds / serviceSeconds - 1);
    }
  } finally {
    await service.stop();
  }
  const ratio = median(ratios);
  return [
    {
      label: 'service throughput ÷ bare loop',
      value: medianWithSpread(ratios, 3),
      goal: `≥ ${GOAL}`,
      met: ratio >= GOAL,
    },
    {
      label: 'service throughput, one worker',
      value: `${median(speeds).toFixed(0)} × real time`,
      goal: '≥ 50 ×',
      met: median(speeds) >= 50,
    },
    {
      label: 'time added by fusion',
      value: `${(median(fusionShares) * 100).toFixed(0)} %`,
      goal: '≤ 15 %',
      met: median(fusionShares) <= 0.15,
    },
  ];
}

async function throughService(
  baseUrl: string,
  audio: Uint8Array,
  { name, count, isFused }: { name: string; count: number; isFused: boolean },
): Promise<number> {
  const startedMs = performance.now();
  const ids = await inParallel([...Array(count).keys()], CLIENTS, async (index) => {
    // A different context for every request prevents a cached result.
    const fields = { context: `${name}, ${index}`, skip_fusion: String(!isFused) };
    return requestIdOf(await request(`${baseUrl}/api/stt`, submission(audio, fields)));
  });
  for (const id of ids) {
    const record = await waitForResult(baseUrl, id, { timeoutMs: 600_000 });
    if (record['status'] !== 'completed') throw new Error(`a transcription failed: ${JSON.stringify(record)}`);
  }
  return (performance.now() - startedMs) / 1_000;
}

/** Seconds of the loop in a separate process. Neither side counts loading the model. */
async function bareLoop(path: string, count: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-loop.ts'), path, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: engineEnvironment(),
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return Number(output.trim());
}
