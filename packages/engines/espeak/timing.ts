import { sum } from '@jyutsing/numeric/statistics';
import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { ProsodySampler } from '#engines/runtime/prosody-sampling.ts';
import type { SourceVoice } from './espeak-driver.ts';
import type { PartKind, SourcePart, SourceSyllable } from './syllables.ts';

/** A span of the source and its time in the output, in milliseconds. */
type TimedPart = SourcePart & { fromMs: number; toMs: number; isSilenced: boolean };
export type TimedSyllable = Omit<SourceSyllable, 'parts'> & { parts: TimedPart[]; startMs: number; endMs: number };

type TimingOptions = {
  startMs: number;
  /** Mean syllable duration at the requested speed. */
  syllableMs: number;
  /** Ending of the phrase for its last syllables; null when more follow. */
  ending: PhraseEnding | null;
  sampler: ProsodySampler;
};

/** Pauses after a phrase in milliseconds, at a speed of 1. */
export const PAUSES_MS: Readonly<Record<PhraseEnding, number>> = {
  none: 0,
  comma: 180,
  statement: 350,
  question: 350,
  exclamation: 350,
  ellipsis: 500,
};

/**
 * Mean syllable durations in milliseconds in everyday sentences, from espeak-ng at 150 words a
 * minute.
 */
const SOURCE_SYLLABLE_MS: Readonly<Record<SourceVoice, number>> = { yue: 250, cmn: 306, en: 231 };
/**
 * Share of espeak-ng's duration differences that is kept. Chinese is syllable-timed and espeak-ng
 * exaggerates them; in English they carry stress.
 */
const KEPT_DIFFERENCE: Readonly<Record<SourceVoice, number>> = { yue: 0.5, cmn: 0.5, en: 0.8 };
/**
 * Factors of the lengthening before a pause (Cantonese: W. Y. P. Wong, "Syllable fusion in Hong
 * Kong Cantonese connected speech", 2006; in general: A. Turk and S. Shattuck-Hufnagel, Journal of
 * Phonetics 35, 2007). espeak-ng itself lengthens by a quarter.
 */
const FINAL: Readonly<Record<PhraseEnding, number>> = {
  none: 1,
  comma: 1.15,
  statement: 1.2,
  question: 1.2,
  exclamation: 1.2,
  ellipsis: 1.35,
};
const BEFORE_FINAL = 1.04;
const WORD_FINAL = 1.03;
const INSIDE_WORD = 0.96;
const FUNCTION_WORD = 0.82;
/** Factor of syllables that end in p, t or k: the vowel is short, and part of it is silence. */
const CHECKED = 0.88;
const CHECKED_CLOSURE_SHARE = 0.22;
const NEUTRAL_TONE = 0.72;
/**
 * Length of syllabic m and ng relative to the mean: they come from the end of a longer syllable, so
 * their source duration is meaningless.
 */
const SYLLABIC = 0.8;

/** Readings of function words: particles, aspects, prepositions, pronouns. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set([
  ...'嘅 咗 緊 過 住 喺 係 個 啲 都 就 嘅話 同 我 你 佢 哋 俾 畀 咁 噉 而 之 於'.split(' '),
  ...'的 了 着 过 在 是 个 们 就 都 和 把 被 跟 地 得'.split(' '),
]);

/** Exponents: parts of a syllable that is stretched by f are stretched by f ^ elasticity. */
const ELASTICITY: Readonly<Record<PartKind, number>> = {
  closure: 0.3,
  stop: 0.2,
  fricative: 0.6,
  sonorant: 0.75,
  transition: 0.4,
  vowel: 1,
};

/**
 * Gives every part of syllables that follow one another its time. Silences within a syllable
 * (closures of final stops) are parts.
 */
export function timeSyllables(syllables: readonly SourceSyllable[], options: TimingOptions): TimedSyllable[] {
  let atMs = options.startMs;
  return syllables.map((syllable, index) => {
    const fromEnd = options.ending === null ? Infinity : syllables.length - 1 - index;
    const durationMs = durationOf(syllable, fromEnd, options);
    const parts = placeParts(syllable, atMs, durationMs);
    const startMs = atMs;
    atMs += durationMs;
    return { ...syllable, parts, startMs, endMs: atMs };
  });
}

function durationOf(syllable: SourceSyllable, fromEnd: number, { syllableMs, ending, sampler }: TimingOptions): number {
  const { voice, item, isWordEnd, parts } = syllable;
  const sourceMs = parts.at(-1)!.endMs - parts[0]!.startMs;
  const share = item.isOnlyCoda ? SYLLABIC : (sourceMs / SOURCE_SYLLABLE_MS[voice]) ** KEPT_DIFFERENCE[voice];
  let factor = Math.exp(sampler.normal(0.05));
  if (fromEnd === 0 && ending !== null) factor *= FINAL[ending];
  else {
    if (fromEnd === 1) factor *= BEFORE_FINAL;
    if (voice !== 'en') factor *= isWordEnd ? WORD_FINAL : INSIDE_WORD;
    if (FUNCTION_WORDS.has(item.written)) factor *= FUNCTION_WORD;
  }
  if (isChecked(syllable)) factor *= CHECKED;
  if (voice === 'cmn' && item.tone === 5) factor *= NEUTRAL_TONE;
  return syllableMs * share * factor;
}

/** Returns true for a Cantonese syllable that ends in an unreleased p, t or k. */
export function isChecked({ voice, item }: Pick<SourceSyllable, 'voice' | 'item'>): boolean {
  return voice === 'yue' && /[ptk][1-6]$/.test(item.reading);
}

function placeParts(syllable: SourceSyllable, startMs: number, durationMs: number): TimedPart[] {
  const parts: (SourcePart & { isSilenced: boolean })[] = syllable.parts.map((part) => ({
    ...part,
    isSilenced: false,
  }));
  let spokenMs = durationMs;
  if (isChecked(syllable)) {
    const { endMs } = parts.at(-1)!;
    spokenMs *= 1 - CHECKED_CLOSURE_SHARE;
    parts.push({ kind: 'closure', isVoiceless: true, startMs: endMs, endMs, isSilenced: true });
  }
  const stretched = stretch(syllable.parts, spokenMs);
  let atMs = startMs;
  return parts.map((part, index) => {
    const fromMs = atMs;
    atMs = index < stretched.length ? atMs + stretched[index]! : startMs + durationMs;
    return { ...part, fromMs, toMs: atMs };
  });
}

/**
 * Computes lengths that make `totalMs` together: each part is stretched by one factor to the power
 * of its elasticity.
 */
function stretch(parts: readonly SourcePart[], totalMs: number): number[] {
  const lengths = parts.map(({ startMs, endMs }) => endMs - startMs);
  const exponents = parts.map(({ kind }) => ELASTICITY[kind]);
  const scaled = (logFactor: number) => lengths.map((length, at) => length * Math.exp(logFactor * exponents[at]!));
  let low = Math.log(0.02);
  let high = Math.log(50);
  for (let step = 0; step < 30; step += 1) {
    const middle = (low + high) / 2;
    if (sum(scaled(middle)) < totalMs) low = middle;
    else high = middle;
  }
  const stretched = scaled((low + high) / 2);
  const correction = totalMs / sum(stretched);
  return stretched.map((length) => length * correction);
}
