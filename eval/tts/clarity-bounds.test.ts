import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { readSamples } from '../sound.ts';
import { joinOverlapping, joinRecordedSyllables, withoutQuietEnds } from './clarity-bounds.ts';

test('pieces fade into each other and keep their order', () => {
  const joined = joinOverlapping([new Float32Array(10).fill(1), new Float32Array(10).fill(-1)], 4);
  expect(joined).toHaveLength(20 - 8 + 4);
  expect(joined[5]).toBe(1);
  expect(joined[10]).toBe(-1);
});

test('silence around a syllable is cut off', () => {
  const sound = new Float32Array(16_000);
  sound.fill(0.5, 4_800, 8_000);
  expect(withoutQuietEnds(sound)).toHaveLength(3_200);
});

test('a sentence is made of the recordings of its syllables, and left out when one is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bounds-'));
  try {
    const syllable = wavBytes({ sampleRateHz: 16_000, channels: [new Float32Array(3_200).fill(0.3)] });
    await writeFile(join(folder, 'a.wav'), syllable);
    await writeFile(join(folder, 'yue-syllables-kt.tsv'), 'file\tjyutping\na.wav\tnei5\na.wav\thou2\n');
    const set = await joinRecordedSyllables({ sets: [folder], sentences: ['你好', '你好嗎'], folder });
    expect(set.items.map(({ units }) => units)).toEqual([['nei5', 'hou2']]);
    expect((await readSamples(set.items[0]!.path)).length).toBeGreaterThan(6_000);
    const none = joinRecordedSyllables({ sets: [folder], sentences: ['廣東話'], folder });
    await expect(none).rejects.toMatchObject({ code: 'invalid_parameter' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('without the recordings the message names their table', async () => {
  const made = joinRecordedSyllables({ sets: [tmpdir()], sentences: ['你好'], folder: tmpdir() });
  await expect(made).rejects.toThrow('yue-syllables-kt.tsv');
});
