import { expect, test } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { joinSounds } from './join-sounds.ts';

const wav = (...samples: number[]) => wavBytes({ channels: [Float32Array.from(samples)], sampleRateHz: 24_000 });

test('WAV files become one whose header tells the whole length', () => {
  const joined = joinSounds([wav(0, 0.5), wav(-0.5)], '.wav');
  expect(Buffer.from(joined).equals(Buffer.from(wav(0, 0.5, -0.5)))).toBe(true);
});

test('other files follow each other', () => {
  expect([...joinSounds([Uint8Array.of(1, 2), Uint8Array.of(3)], '.mp3')]).toEqual([1, 2, 3]);
});
