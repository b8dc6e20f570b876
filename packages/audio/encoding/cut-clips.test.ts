import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeFile } from '#test/audio-comparison.ts';
import { writeSound } from '#testbed/sound/audio.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { cutClips } from './cut-clips.ts';

const RATE_HZ = 16_000;

/** Three seconds of silence with a tone from 1 to 2 s. */
function toneInSilence(): Float32Array {
  return Float32Array.from({ length: 3 * RATE_HZ }, (_, index) =>
    index >= RATE_HZ && index < 2 * RATE_HZ ? 0.5 * Math.sin((2 * Math.PI * 440 * index) / RATE_HZ) : 0,
  );
}

const energyOf = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

it('clips have the sound of their times with a margin, also where they overlap or end after the recording', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'tone.wav');
  await writeSound(path, { sampleRateHz: RATE_HZ, channels: [toneInSilence()] }, 'wav');
  const clips = [
    { startMs: 0, endMs: 800 },
    { startMs: 1_000, endMs: 2_000 },
    { startMs: 1_500, endMs: 9_000 },
  ];
  const options = { maxDurationMs: 60_000, signal: new AbortController().signal };
  const cut: { seconds: number; energy: number }[] = [];
  for await (const { index, mp3 } of cutClips(path, clips, options)) {
    const file = join(folder.path, `${index}.mp3`);
    await writeFile(file, mp3);
    const samples = await decodeFile(file, 24_000);
    cut[index] = { seconds: samples.length / 24_000, energy: energyOf(samples) };
  }
  expect(cut.map(({ seconds }) => Math.round(seconds * 10) / 10)).toEqual([0.9, 1.2, 1.6]);
  expect(cut[0]!.energy).toBeLessThan(1e-4);
  expect(cut[1]!.energy).toBeGreaterThan(0.08);
});
