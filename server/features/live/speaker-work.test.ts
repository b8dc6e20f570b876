import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Diarizer } from '@jyutsing/contracts/diarizer';
import type { LiveContext } from './live-context.ts';
import { createSpeakerWork } from './speaker-work.ts';

const BUILTIN = { ability: 'diarizer', engine: 'slow', model: 'slow' };

it('searches that are slower than speech do not pile up, and the last sound is searched', async () => {
  const searchedSamples: number[] = [];
  const diarizer: Diarizer = {
    async *diarize(audio) {
      let samples = 0;
      for await (const chunk of audio) samples += chunk.samples.length;
      await sleep(30);
      searchedSamples.push(samples);
      yield { type: 'turns', turns: [] };
    },
    async close() {},
  };
  const open = (async () => diarizer) as unknown as LiveContext['open'];
  const work = createSpeakerWork({ open }, new AbortController().signal);
  const searches = Array.from({ length: 20 }, (_, index) => {
    work.hear(new Float32Array(1_600), BUILTIN as never, index * 100);
    return work.find();
  });
  await Promise.all(searches);
  expect(searchedSamples.length).toBeLessThanOrEqual(2);
  expect(searchedSamples.at(-1)).toBe(20 * 1_600);
});
