import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { cutAlike, firstSpeech, recordedClips } from './likeness-clips.ts';

const clip = (length: number) => ({ samples: new Float32Array(length).fill(0.1), speaker: null });

test('silence before speech is left out, and only the first seconds are judged', () => {
  const sound = new Float32Array(64_000);
  sound.fill(0.4, 8_000, 60_000);
  const first = firstSpeech(sound);
  expect(first).toHaveLength(24_000);
  expect(first[0]).toBeCloseTo(0.4);
});

test('silence is no speech and breaks nothing', () => {
  expect(firstSpeech(new Float32Array(16_000)).length).toBeLessThan(16_000);
});

test('clips are cut to the lengths of others', () => {
  const cut = cutAlike([clip(300), clip(300), clip(300)], [clip(100), clip(200)]);
  expect(cut.map(({ samples }) => samples.length)).toEqual([100, 200, 100]);
});

test('the two halves of a table share no recording', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'halves-'));
  try {
    const rows: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const sound = new Float32Array(16_000).fill(0.2 + 0.1 * i);
      await writeFile(join(folder, `${i}.wav`), wavBytes({ sampleRateHz: 16_000, channels: [sound] }));
      rows.push(`${i}.wav\tspeaker ${i}`);
    }
    const table = join(folder, 'people.tsv');
    await writeFile(table, ['file\tspeaker', ...rows].join('\n'));
    const speakers = async (half: 'test' | 'development') =>
      (await recordedClips(table, half)).map(({ speaker }) => speaker);
    expect(await speakers('development')).toEqual(['speaker 0', 'speaker 2', 'speaker 4']);
    expect(await speakers('test')).toEqual(['speaker 1', 'speaker 3']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
