import { expect, test } from 'vitest';
import { clarityGoals, cloneGoals, goalsReport, joinGoals, likenessGoals } from './goals.ts';
import type { Prosody } from './prosody.ts';

const rate = (value: number) => ({
  rate: value,
  interval: { low: value - 0.01, high: value + 0.01 },
  drawn: 'recordings' as const,
  drawnFrom: 10,
});

const likeness = (what: string, value: number) => ({
  judge: 'network',
  what,
  condition: 'clean' as const,
  clips: 10,
  likeness: rate(value),
  accepted: value,
});

const prosody = (joins: number[]): Prosody => ({
  joins,
  durations: [],
  rates: [],
  steps: [],
  regularity: [],
  ranges: [],
  falls: [],
  levels: [],
  contours: new Map(),
});

const understood = [
  {
    language: 'cantonese' as const,
    by: 'acoustic model alone',
    what: 'syllables with tone',
    goal: null,
    ...rate(0.185),
  },
  {
    language: 'cantonese' as const,
    by: 'acoustic model alone',
    what: 'syllables without tone',
    goal: 0.05,
    ...rate(0.08),
  },
  { language: 'cantonese' as const, by: 'recognizer', what: 'characters', goal: null, ...rate(0.05) },
];

/** The last column of each line, by its first. */
function verdicts(report: string): Record<string, string> {
  const lines = report.split('\n\n')[0]!.split('\n').slice(2);
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(cells.map((cell) => [cell[1]!, cell[5]!]));
}

test('people and the voice must be like people, and the former voice must not', () => {
  const rows = [likeness('people', 0.95), likeness('syllable', 0.5), likeness('espeak', 0.2)];
  const goals = likenessGoals(rows, { people: 'people', model: 'syllable', former: 'espeak' });
  expect(verdicts(goalsReport(goals, 'markdown'))).toEqual({
    'likeness to people by network, clean: people': 'met',
    'likeness to people by network, clean: syllable': 'MISSED',
    'likeness to people by network, clean: espeak': 'MISSED',
  });
});

test('a voice has goals of clarity, its bounds have none', () => {
  const goals = [...clarityGoals('voice', understood, false), ...clarityGoals('floor', understood, true)];
  expect(verdicts(goalsReport(goals, 'markdown'))).toEqual({
    'syllables with tone misheard: voice': 'MISSED',
    'syllables without tone misheard: voice': 'met',
    'syllables with tone misheard: floor': '',
    'syllables without tone misheard: floor': '',
  });
});

const verdictOf = (joins: number[]) =>
  verdicts(
    goalsReport(
      joinGoals('voice', { own: prosody(joins), inBackground: prosody([7]), people: prosody([6, 8]) }),
      'markdown',
    ),
  );

test('joins may change a tenth more than those of people', () => {
  expect(verdictOf([7.6])['change of the spectrum over joins: voice']).toBe('met');
  expect(verdictOf([7.8])['change of the spectrum over joins: voice']).toBe('MISSED');
  expect(verdictOf([7.8])["the same, with the background of the people's recordings: voice"]).toBe('');
});

const clone = (rank: number) => ({
  reference: 'a',
  pitchSemitones: 0,
  formantShare: 0,
  rank,
  ownRank: null,
  likeness: 0.9,
  ownLikeness: 1,
});

test('clones are counted by the rank of the right person, and judged', () => {
  const goals = cloneGoals('espeak', [1, 1, 1, 1, 2].map(clone), understood);
  expect(goals.map(({ value }) => value)).toEqual([0.8, 0.9, 0.185]);
  expect(goalsReport(goals, 'text')).toMatch(/5 clones ranked first: espeak +80\.0 % .* met/);
});

test('the report says what was tuned on what', () => {
  expect(goalsReport([], 'text')).toContain('learnt from other people');
});
