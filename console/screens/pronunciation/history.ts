import type { Score } from '@jyutsing/client';

export type ScoredSyllable = Score<'cantonese' | 'mandarin'>['syllables'][number];
type Part = 'onset' | 'rime' | 'tone';
export const PARTS: readonly Part[] = ['onset', 'rime', 'tone'];

/** The record that is kept of a syllable that was practised. */
export type KeptSyllable = { text: string; expected: string; score: number; wrong: readonly Part[] };
export type Attempt = { at: number; score: number; syllables: readonly KeptSyllable[] };

/** Older attempts say little about today. */
const KEPT_ATTEMPTS = 200;
/** A syllable that occurred less often than this tells nothing. */
const LEAST_TIMES = 2;
const SHOWN_SYLLABLES = 8;
const SHOWN_PARTS = 8;
/** In a text that was not said, less than this fraction of the parts is right by chance. */
const RIGHT_BY_CHANCE = 1 / 3;
/** A part that is right at least this often, of 1, needs no practice. */
export const WEAK_BELOW = 0.8;

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

/** Tells whether a recording is of its text: it is not if nearly nothing of the text was heard. */
export function isOfItsText(syllables: readonly Pick<ScoredSyllable, Part>[]): boolean {
  const parts = syllables.flatMap((syllable) => PARTS.map((part) => syllable[part].verdict));
  return parts.filter((verdict) => !isWrong(verdict)).length >= parts.length * RIGHT_BY_CHANCE;
}

export function withAttempt(attempts: readonly Attempt[], next: Attempt): Attempt[] {
  return [...attempts, next].slice(-KEPT_ATTEMPTS);
}

export function isWrong(verdict: string): boolean {
  return verdict === 'wrong' || verdict === 'omitted';
}

export type PartRecord = {
  part: Part;
  /** A value such as `gw`, `oeng` or `6`; empty for a missing onset. */
  value: string;
  /** The fraction of all occurrences that was right; `course` has the fraction of each attempt. */
  right: number;
  course: number[];
};

/** The onsets, rimes and tones that were right less often than `WEAK_BELOW`, the weakest first. */
export function weakParts(attempts: readonly Attempt[]): PartRecord[] {
  return PARTS.flatMap((part) => recordsOf(attempts, part))
    .filter(({ right }) => right < WEAK_BELOW)
    .sort((one, other) => one.right - other.right)
    .slice(0, SHOWN_PARTS);
}

/** Counts how often each value of a part was right, leaving out syllables that are no jyutping. */
function recordsOf(attempts: readonly Attempt[], part: Part): PartRecord[] {
  const isRight = ({ wrong }: KeptSyllable) => !wrong.includes(part);
  const share = (all: readonly KeptSyllable[]) => all.filter(isRight).length / all.length;
  const courses = new Map<string, KeptSyllable[][]>();
  for (const { syllables } of attempts) {
    const read = syllables.filter(({ expected }) => SYLLABLE.test(expected));
    for (const [value, all] of Map.groupBy(read, ({ expected }) => partsOf(expected)[part])) {
      courses.set(value, [...(courses.get(value) ?? []), all]);
    }
  }
  return [...courses].map(([value, groups]) => ({
    part,
    value,
    right: share(groups.flat()),
    course: groups.map(share),
  }));
}

const SYLLABLE = /^(?:(gw|kw|ng|[bpmfdtnlgkhwzcsj])(?=[aeiouy]))?([a-z]+)([1-6])$/;

/** Splits `gwong2` into `gw`, `ong` and `2`. The syllables `m` and `ng` are rimes. */
function partsOf(jyutping: string): Record<Part, string> {
  const [, onset = '', rime = '', tone = ''] = SYLLABLE.exec(jyutping) ?? [];
  return { onset, rime, tone };
}

export type WeakSyllable = { expected: string; text: string; score: number; times: number };

/** The syllables with the lowest mean scores, below `WEAK_BELOW`, the weakest first. */
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
    .filter(({ times, isWeak, score }) => times >= LEAST_TIMES && isWeak && score < WEAK_BELOW * 100)
    .sort((one, other) => one.score - other.score)
    .slice(0, SHOWN_SYLLABLES)
    .map(({ expected, text, score, times }) => ({ expected, text, score, times }));
}
