import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testbed/service/service.ts';
import { recordingsOf } from './recordings-of.ts';

test('a folder stands for its recordings, in the order of their numbers', async () => {
  await using folder = await temporaryFolder();
  const inFolder = (name: string) => join(folder.path, name);
  for (const name of ['part 10.mp3', 'part 2.MP3', 'notes.txt', '.hidden.wav', 'film.mkv']) {
    await writeFile(inFolder(name), '');
  }
  await mkdir(inFolder('empty.wav'));
  const sentences: string[] = [];
  const say = (sentence: string) => void sentences.push(sentence);
  expect(recordingsOf(['-', folder.path, 'https://example.com/a'], say)).toEqual([
    '-',
    ...['film.mkv', 'part 2.MP3', 'part 10.mp3'].map(inFolder),
    'https://example.com/a',
  ]);
  expect(sentences).toEqual([`Folders within a folder are not read; name them too: ${inFolder('empty.wav')}`]);
  expect(() => recordingsOf([inFolder('empty.wav')], say)).toThrow('has no sound or video');
});
