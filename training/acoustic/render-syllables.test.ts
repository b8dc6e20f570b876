import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplesOfWav } from '@jyutsing/audio/wav';

const SCRIPT = join(import.meta.dirname, 'render-syllables.ts');
/** The voice has no syllable fp6. */
const SENTENCES = 'nei5 hou2 aa3\nfp6 nei5\ngam1 jat6 hou2 tin1\n';
const MANDARIN = 'ni2 hao3 ma5\nfp4 ni3\njin1 tian1 hao3\n';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-rendered-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function render(name: string, seed: number, sentences = SENTENCES, ...options: string[]): Promise<string[][]> {
  const ended = Promise.withResolvers<void>();
  const child = execFile(execPath, [SCRIPT, join(folder, name), String(seed), ...options], (error) =>
    error === null ? ended.resolve() : ended.reject(error),
  );
  child.stdin!.end(sentences);
  await ended.promise;
  const table = await readFile(join(folder, `${name}.tsv`), 'utf8');
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
}

test('renders sentences as other people, the same each time, and leaves out what cannot be spoken', async () => {
  const [header, ...rows] = await render('once', 1);
  expect(header).toEqual(['file', 'units', 'speaker']);
  expect(rows.map(([file, units]) => [file, units])).toEqual([
    ['once/00000.wav', 'nei5 hou2 aa3'],
    ['once/00002.wav', 'gam1 jat6 hou2 tin1'],
  ]);
  expect(new Set(rows.map(([, , speaker]) => speaker)).size).toBe(2);
  const sounds = await Promise.all(rows.map(([file]) => readFile(join(folder, file!))));
  for (const sound of sounds) {
    const samples = samplesOfWav(sound);
    expect(samples.length).toBeGreaterThan(24_000 * 0.3);
    expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(0.1);
  }
  await render('again', 1);
  expect(await readFile(join(folder, 'again/00000.wav'))).toEqual(sounds[0]);
});

test('renders Mandarin from pinyin', async () => {
  const [, ...rows] = await render('mandarin', 1, MANDARIN, 'mandarin');
  expect(rows.map(([file, units]) => [file, units])).toEqual([
    ['mandarin/00000.wav', 'ni2 hao3 ma5'],
    ['mandarin/00002.wav', 'jin1 tian1 hao3'],
  ]);
});

test('refuses a language without a voice', async () => {
  await expect(render('none', 1, SENTENCES, 'english')).rejects.toThrow('LANGUAGE is one of: cantonese, mandarin');
});
