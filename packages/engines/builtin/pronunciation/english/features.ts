import { interpolatedQuantile, mean, standardDeviation } from '@jyutsing/numeric/statistics';
import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';
import type { SpokenTiming } from '#engines/builtin/pronunciation/types.ts';
import type { ComparedPhone, ComparedWord, Comparison } from './compare-words.ts';

/** Phones that form the nucleus of a syllable. */
const VOWELS: ReadonlySet<string> = new Set('AA AE AH AO AW AX AY EH ER EY IH IY OW OY UH UW'.split(' '));

/**
 * Returns true for a vowel. Columns are those of `labels.phones`, which the acoustic model has in
 * the order of `ARPABET_PHONES`.
 */
function isVowel(column: number): boolean {
  return VOWELS.has(ARPABET_PHONES[column - 1] ?? '');
}

/**
 * Estimates the length of a word in syllables, half by its vowels and half by its phones: one
 * syllable may be `a` or `strengths`, and the latter is not slow speech.
 */
function syllablesOf(columns: readonly number[]): number {
  const vowels = columns.filter((column) => isVowel(column)).length;
  return (Math.max(1, vowels) + Math.max(1, columns.length / PHONES_OF_SYLLABLE)) / 2;
}

/** Mean number of phones of a syllable in English text. */
const PHONES_OF_SYLLABLE = 2.6;

/** Least log-probability; smaller ones carry no more information. */
const MIN_LOGP = -8;

const clip = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
const meanOf = (values: readonly number[]): number => mean(values, 0);

/** Returns the features of a phone's score, followed by the identity of the phone (one-hot). */
export function phoneFeatures(phone: ComparedPhone): number[] {
  const logp = Math.max(phone.logp, MIN_LOGP);
  const otherLogp = Math.log(Math.max(1 - Math.exp(phone.logp), 1e-4));
  const isPhone = ARPABET_PHONES.map((_, index) => Number(phone.column === index + 1));
  return [
    logp,
    clip(logp - otherLogp, -6, 6),
    Math.max(phone.rivalLogp, MIN_LOGP),
    Math.max(phone.noneLogp, -5),
    phone.peakLogp,
    Number(phone.frames === null),
    Math.exp(phone.logp),
    Math.max(phone.variantLogp, MIN_LOGP),
    Math.log(Math.exp(phone.logp) + 0.7 * Math.exp(phone.variantLogp) + 1e-3),
    ...isPhone,
  ];
}

/** Returns the features of a spoken word's score. `scores` are those of its phones, 0–1. */
export function wordFeatures({ columns, spoken }: ComparedWord, scores: readonly number[], frameMs: number): number[] {
  const phones = spoken?.phones ?? [];
  const logps = phones.map(({ logp }) => Math.max(logp, MIN_LOGP));
  const odds = scores.map((score) => logOdds(score));
  const frames = spoken === null ? 0 : (spoken.endMs - spoken.startMs) / frameMs;
  return [
    meanOf(logps),
    Math.min(...logps, 0),
    meanOf(odds),
    Math.min(...odds, 6),
    Math.min(...scores, 1),
    meanOf(scores),
    meanOf(phones.map(({ peakLogp }) => peakLogp)),
    meanOf(phones.map(({ frames: phoneFrames }) => Number(phoneFrames === null))),
    Math.max(...phones.map(({ rivalLogp }) => Math.max(rivalLogp, MIN_LOGP)), MIN_LOGP),
    Math.log(columns.length),
    clip(Math.log(Math.max(frames, 1) / Math.max(columns.length, 1)), 0, 2.5),
    Number(columns.length < 3),
  ];
}

/** Computes the natural logarithm of the odds of a share, within ±6. */
function logOdds(share: number): number {
  const bounded = clip(share, 0.0025, 0.9975);
  return Math.log(bounded / (1 - bounded));
}

/**
 * Returns the features of the agreement of recording and text, independent of timing. `phoneScores`
 * are listed by word and phone.
 */
export function agreementFeatures(comparison: Comparison, phoneScores: readonly (readonly number[])[]): number[] {
  const { words, inserted, pathLogp, freeLogp } = comparison;
  const spoken = words.filter((word) => word.spoken !== null);
  const phones = spoken.flatMap((word) => word.spoken?.phones ?? []);
  const logps = phones.map(({ logp }) => Math.max(logp, MIN_LOGP));
  const scores = phoneScores.flat();
  const expected = Math.max(
    1,
    words.reduce((sum, { columns }) => sum + columns.length, 0),
  );
  const vowels = phones.flatMap(({ column, logp }) => (isVowel(column) ? [Math.max(logp, MIN_LOGP)] : []));
  const consonants = phones.flatMap(({ column, logp }) => (isVowel(column) ? [] : [Math.max(logp, MIN_LOGP)]));
  if (phones.length === 0) return [-8, -8, -8, -6, 0, 1, 1, 0, -3, 0, 1, 0, -8, -8];
  return [
    meanOf(logps),
    interpolatedQuantile(logps, 0.1),
    interpolatedQuantile(logps, 0.25),
    meanOf(scores.map((score) => logOdds(score))),
    meanOf(scores),
    meanOf(logps.map((logp) => Number(logp < -3))),
    meanOf(logps.map((logp) => Number(logp < -5))),
    meanOf(logps.map((logp) => Math.exp(logp))),
    clip((pathLogp - freeLogp) / expected, -3, 0),
    Math.min(inserted.length / expected, 0.5),
    1 - spoken.length / Math.max(words.length, 1),
    meanOf(phones.map(({ frames }) => Number(frames === null))),
    meanOf(vowels.length === 0 ? logps : vowels),
    meanOf(consonants.length === 0 ? logps : consonants),
  ];
}

/** Returns features like those of `agreementFeatures`, of the weakest words. */
export function weakestWords(wordScores: readonly number[]): number[] {
  return [meanOf(wordScores), Math.min(...wordScores, 1), interpolatedQuantile(wordScores, 0.25, 0)];
}

/**
 * Returns the features of the rhythm, in natural logarithms of frames: mean, deviation and maximum
 * of the distances between consecutive phones. Pauses are ignored where punctuation allows them.
 */
export function rhythmFeatures({ words }: Comparison): number[] {
  const distances = [TYPICAL_DISTANCE, TYPICAL_DISTANCE, TYPICAL_DISTANCE];
  let previous: number | null = null;
  for (const { spoken, afterPause } of words) {
    if (afterPause || spoken === null) previous = null;
    for (const { frames } of spoken?.phones ?? []) {
      if (frames === null) continue;
      if (previous !== null) distances.push(Math.max(frames.startFrame - previous, 0));
      previous = frames.startFrame;
    }
  }
  return [
    Math.log(Math.max(mean(distances), 1)),
    Math.log1p(standardDeviation(distances)),
    Math.log1p(Math.max(...distances)),
  ];
}

/**
 * Typical number of frames between phones at a normal rate. Three such distances are added as a
 * prior, because a single short word is little evidence.
 */
const TYPICAL_DISTANCE = 4;

/** Returns the times of the spoken words. */
export function spokenTiming({ words, repetitions, inserted }: Comparison): SpokenTiming {
  return {
    units: words.flatMap(({ spoken, columns, afterPause }) =>
      spoken === null
        ? []
        : [{ startMs: spoken.startMs, endMs: spoken.endMs, syllables: syllablesOf(columns), afterPause }],
    ),
    expectedUnits: words.length,
    repetitions,
    insertions: inserted.length,
  };
}
