import { expect, it } from 'vitest';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { StreamEvent } from './speech.ts';
import { startInTime } from './start-in-time.ts';

const PART_MS = 4_000;

/**
 * Makes a speech of equal parts with a model that takes `factor` times as long as its sound, and
 * plays it; returns when it began, and the longest gap that a listener heard.
 */
async function play(partCount: number, factor: number): Promise<{ beganMs: number; gapMs: number }> {
  let clockMs = 0;
  const made = { share: 0, longestPartMs: PART_MS };
  async function* events(): AsyncGenerator<StreamEvent> {
    for (let part = 1; part <= partCount; part += 1) {
      clockMs += PART_MS * factor;
      yield { type: 'audio', samples: new Int16Array((PART_MS * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000) };
      made.share = part / partCount;
      yield { type: 'mark', name: 'end of a part', atMs: part * PART_MS };
    }
  }
  let [beganMs, gapMs, playedUntilMs] = [-1, 0, 0];
  for await (const event of startInTime(events(), made, () => clockMs)) {
    if (event.type !== 'audio') continue;
    if (beganMs < 0) [beganMs, playedUntilMs] = [clockMs, clockMs];
    gapMs = Math.max(gapMs, clockMs - playedUntilMs);
    playedUntilMs = Math.max(playedUntilMs, clockMs) + PART_MS;
  }
  return { beganMs, gapMs };
}

it('a speech of a slow model has no gaps, whatever its length', async () => {
  const wrong: string[] = [];
  for (const partCount of [1, 2, 3, 5, 10, 40]) {
    for (const factor of [0.3, 0.8, 1, 1.3, 2, 5]) {
      const { beganMs, gapMs } = await play(partCount, factor);
      if (gapMs > 0 || beganMs > partCount * factor * PART_MS) wrong.push(`${partCount} × ${factor}: ${gapMs}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('a speech begins as early as it can', async () => {
  // A fast one begins after its first part, one of twice its sound after about half of it.
  expect((await play(10, 0.5)).beganMs).toBe(0.5 * PART_MS);
  const { beganMs } = await play(10, 2);
  expect(beganMs).toBeGreaterThan(4 * 2 * PART_MS);
  expect(beganMs).toBeLessThan(8 * 2 * PART_MS);
});

async function* failing(): AsyncGenerator<StreamEvent> {
  yield { type: 'audio', samples: new Int16Array(10) };
  throw new Error('broken');
}

it('a failure of the model is passed on', async () => {
  const made = { share: 0, longestPartMs: 0 };
  await expect(Array.fromAsync(startInTime(failing(), made))).rejects.toThrow('broken');
});
