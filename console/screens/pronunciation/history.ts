import type { Score } from '@jyutsing/client';

export type ScoredSyllable = Score<'cantonese'>['syllables'][number];
type Part = 'onset' | 'rime' | 'tone';
export const PARTS: readonly Part[] = ['onset', 'rime', 'tone'];

/** What is kept of a syllable that was practised. */
export type KeptSyllable = { text: string; expected: string; score: number; wrong: readonly Part[] };
export type Attempt = { at: number; score: number; syllables: readonly KeptSyllable[] };

/** Older attempts say little about today. */
const KEPT_ATTEMPTS = 200;
/** Fewer tell nothing about a syllable. */
const LEAST_TIMES = 2;
const SHOWN_SYLLABLES = 8;

export function attemptOf({ score, syllables }: Score<'cantonese'>, at: number): Attempt {
  return {
    at,
    score,
    syllables: syllables.map((syllable) => ({
      text: syllable.text,
      expected: syllable.expected,
      score: syllable.score,
      wrong: PARTS.filter((part) => isWrong(syllable[part].verdict)),
    })),
  };
}

export function withAttempt(attempts: readonly Attempt[], next: Attempt): Attempt[] {
  return [...attempts, next].slice(-KEPT_ATTEMPTS);
}

export function isWrong(verdict: string): boolean {
  return verdict === 'wrong' || verdict === 'omitted';
}

export type ToneRecord = {
  tone: number;
  /** Fractions that were right: of all, and of each attempt in which the tone occurred. */
  right: number;
  course: number[];
};

/** How often each of the six tones was right; those that never occurred are left out. */
export function toneRecords(attempts: readonly Attempt[]): ToneRecord[] {
  return [1, 2, 3, 4, 5, 6].flatMap((tone) => {
    const perAttempt = attempts
      .map(({ syllables }) => syllables.filter(({ expected }) => expected.endsWith(String(tone))))
      .filter(({ length }) => length > 0);
    if (perAttempt.length === 0) return [];
    return [{ tone, right: rightTones(perAttempt.flat()), course: perAttempt.map(rightTones) }];
  });
}

function rightTones(syllables: readonly KeptSyllable[]): number {
  return syllables.filter(({ wrong }) => !wrong.includes('tone')).length / syllables.length;
}

export type WeakSyllable = { expected: string; text: string; score: number; times: number };

/** The syllables with the lowest mean scores that were not mastered, the weakest first. */
export function weakSyllables(attempts: readonly Attempt[]): WeakSyllable[] {
  const groups = Map.groupBy(
    attempts.flatMap(({ syllables }) => syllables),
    ({ expected }) => expected,
  );
  return [...groups]
    .map(([expected, all]) => ({
      expected,
      text: all[0]?.text ?? '',
      score: all.reduce((sum, { score }) => sum + score, 0) / all.length,
      times: all.length,
      isWeak: all.some(({ wrong }) => wrong.length > 0),
    }))
    .filter(({ times, isWeak }) => times >= LEAST_TIMES && isWeak)
    .sort((one, other) => one.score - other.score)
    .slice(0, SHOWN_SYLLABLES)
    .map(({ expected, text, score, times }) => ({ expected, text, score, times }));
}
