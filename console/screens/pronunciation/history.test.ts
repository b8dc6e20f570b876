import { expect, it } from 'vitest';
import { isOfItsText, weakParts, weakSyllables, withAttempt, type Attempt, type KeptSyllable } from './history.ts';

const attempt = (...syllables: KeptSyllable[]): Attempt => ({ at: 0, score: 50, syllables });
const good = { text: '香', expected: 'hoeng1', score: 100, wrong: [] };
const bad = { text: '港', expected: 'gong2', score: 20, wrong: ['tone'] } as const;

const judged = (verdicts: string) => {
  const [onset, rime, tone] = verdicts.split(' ').map((verdict) => ({ verdict }));
  return { onset, rime, tone } as Parameters<typeof isOfItsText>[0][number];
};

it('lists the onsets, rimes and tones that were right in less than 80 of 100 times, the weakest first', () => {
  const live = { text: '住', expected: 'zyu6', score: 58, wrong: ['rime'] } as const;
  expect(weakParts([attempt(good, live)])).toEqual([{ part: 'rime', value: 'yu', right: 0, course: [0] }]);
  expect(weakParts([attempt(good, bad), attempt({ ...bad, wrong: ['onset'] })])).toEqual([
    { part: 'onset', value: 'g', right: 0.5, course: [1, 0] },
    { part: 'tone', value: '2', right: 0.5, course: [0, 1] },
  ]);
  const often = attempt(...Array.from({ length: 4 }, () => ({ ...bad, wrong: [] })));
  expect(weakParts([often, attempt(bad)])).toEqual([]);
  expect(weakParts([attempt(good)])).toEqual([]);
});

it.each([
  ['gwong2', ['gw', 'ong', '2']],
  ['ngo5', ['ng', 'o', '5']],
  ['ng5', ['', 'ng', '5']],
  ['m4', ['', 'm', '4']],
  ['aa3', ['', 'aa', '3']],
  ['jyut6', ['j', 'yut', '6']],
])('reads the parts of %s', (expected, parts) => {
  const wrong = ['onset', 'rime', 'tone'] as const;
  const found = weakParts([attempt({ text: '字', expected, score: 0, wrong })]);
  expect(found.map(({ value }) => value)).toEqual(parts);
});

it('lists syllables that were practised more than once and were wrong, the weakest first', () => {
  const weaker = { text: '我', expected: 'ngo5', score: 10, wrong: ['onset'] } as const;
  const attempts = [attempt(good, bad, weaker), attempt(good, { ...bad, score: 40 }, weaker)];
  expect(weakSyllables(attempts)).toEqual([
    { expected: 'ngo5', text: '我', score: 10, times: 2 },
    { expected: 'gong2', text: '港', score: 30, times: 2 },
  ]);
  expect(weakSyllables([attempt(bad)])).toEqual([]);
  expect(weakSyllables([attempt(bad), attempt(...Array.from({ length: 9 }, () => ({ ...bad, score: 99 })))])).toEqual(
    [],
  );
});

it.each([
  ['every part', ['right right right', 'right variant unsure'], true],
  ['every part but the tones', ['right right wrong', 'right right wrong'], true],
  ['one part of a word that is said badly', ['wrong wrong right'], true],
  ['a few parts by chance', ['wrong wrong right', 'omitted omitted omitted', 'right wrong wrong'], false],
  ['nothing', ['omitted omitted omitted'], false],
])('tells by %s that are right whether a recording is of its text', (_right, verdicts, expected) => {
  expect(isOfItsText(verdicts.map(judged))).toBe(expected);
});

it('keeps the latest 200 attempts', () => {
  let attempts: Attempt[] = [];
  for (let at = 0; at < 205; at += 1) attempts = withAttempt(attempts, { ...attempt(good), at });
  expect([attempts.length, attempts[0]?.at]).toEqual([200, 5]);
});
