import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { learnerFigures } from './learner-figures.ts';
import type { LearnerTrial } from './learner-trials.ts';
import { writePictures, type Scored } from './pictures.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function learner(index: number): LearnerTrial {
  const total = 4 + (index % 7);
  const scores = { accuracy: total * 9, fluency: total * 9, total: total * 9, integrity: 100 };
  return {
    speaker: String(index % 5),
    ageYears: 10 + index,
    human: { accuracy: total, fluency: total, total },
    machine: index === 8 ? null : scores,
    refused: index === 8 ? 'no_speech' : null,
    words: [],
    shuffled: index === 8 ? null : index,
    number: null,
  };
}

it('each language with scores gets one deterministic picture', async () => {
  const trials = Array.from({ length: 9 }, (_, index) => learner(index));
  const scored: Scored = {
    syllables: [],
    natives: [],
    learners: { trials, figures: learnerFigures(trials) },
    sentences: [
      {
        language: 'mandarin',
        trials: [
          {
            language: 'mandarin',
            condition: 'clean',
            text: '你好',
            voice: 'a',
            own: 93,
            others: [{ text: '再见', score: 4 }],
            refused: null,
          },
          { language: 'mandarin', condition: 'room', text: '你好', voice: 'a', own: 50, others: [], refused: null },
        ],
      },
    ],
  };
  const draw = () => writePictures(folder, ['cantonese', 'mandarin', 'english'], scored);
  const paths = await draw();
  expect(await readdir(folder)).toEqual(['pronunciation-english.svg', 'pronunciation-mandarin.svg']);
  const pictures = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const [mandarin = '', english = ''] = pictures;
  expect(mandarin).toContain('100.0 % pass');
  expect(mandarin).not.toContain('<circle');
  // Eight of nine recordings were scored, grouped in thirds by rating.
  expect(english.match(/<circle/g)).toHaveLength(8);
  expect(english).toContain('9 recordings of 5 people');
  expect(english).toContain('correlation 1.00');
  await draw();
  expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(pictures);
});
