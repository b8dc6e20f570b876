import { join } from 'node:path';
import { median, quantile } from '@jyutsing/numeric/statistics';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { generousPlan } from '../plan.ts';
import type { Measurement } from '../report.ts';
import { runBareEngines, writeVoice } from './bare.ts';
import { cantoneseText, openStream, readToEnd } from './client.ts';

const STREAMS_AT_A_TIME = [1, 4, 16];
const STREAMS = 120;
const GOAL_MS = 5;

/**
 * Measures the time from the request to the first byte of audio, minus that of the bare engine for
 * the same text: the overhead of key, quota, voice, process and HTTP. Rounds alternate.
 */
export async function measureFirstByte(): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const text = await cantoneseText(2);
  const { voicePath, voiceId } = await writeVoice(folder.path);
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  const bareMs: number[] = [];
  const servedMs = new Map<number, number[]>(STREAMS_AT_A_TIME.map((count) => [count, []]));
  const open = async () => {
    const stream = await openStream(service.baseUrl, voiceId, text);
    await readToEnd(stream);
    return stream.firstByteMs;
  };
  try {
    for (let round = 0; round < 12; round += 1) await Promise.all([open(), open()]);
    for (let round = 0; round < 3; round += 1) {
      const [bare] = await runBareEngines(voicePath, [text], { seconds: 4, processes: 1 });
      bareMs.push(...bare!.firstMs);
      for (const [count, times] of servedMs) {
        const perClient = Math.ceil(STREAMS / 3 / count);
        const client = async () => {
          for (let left = perClient; left > 0; left -= 1) times.push(await open());
        };
        await Promise.all(Array.from({ length: count }, client));
      }
    }
  } finally {
    await service.stop();
  }
  const bareP50 = median(bareMs);
  return STREAMS_AT_A_TIME.map((count) => {
    const served = servedMs.get(count)!;
    const extraMs = median(served) - bareP50;
    return {
      label: `first byte − first audio of the bare engine, ${count} at a time, p50`,
      value: `${extraMs.toFixed(1)} ms (${median(served).toFixed(1)} − ${bareP50.toFixed(1)}; p95 ${quantile(served, 0.95).toFixed(1)})`,
      goal: count === 1 ? `≤ ${GOAL_MS} ms` : '–',
      met: count !== 1 || extraMs <= GOAL_MS,
    };
  });
}
