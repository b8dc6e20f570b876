import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import { clearShareOf } from './levels.ts';
import { hasClosure, isOpen, type Contour, type EnglishManner, type Sounds, type SyllableParts } from './sounds.ts';
import { MS, type Unit } from './unit.ts';

/** A syllable to speak, before it has a time. */
export type PlannedSyllable = {
  label: string;
  sound: Unit & { levels?: Float32Array };
  tune: Unit;
  /** Place of the syllable in its word, and the length of the word in syllables. */
  place: number;
  length: number;
  /** Index of its word in the phrase. */
  word: number;
  /** True if the word is English. */
  isEnglish: boolean;
  /** True if it was recorded in one word with the syllable before it, or after it. */
  followsOn: boolean;
  isFollowed: boolean;
  /** Contour to use in place of the recorded one; null to use the recorded one. */
  contour: Contour | null;
};

/** A syllable with its time, in samples from the beginning of its phrase. */
export type TimedSyllable = PlannedSyllable & {
  /** Start of the closure before the sound. */
  from: number;
  begin: number;
  rime: number;
  end: number;
  /** End including the silence of an unreleased stop, or of a breath. */
  to: number;
  /** Samples of silence after the sound. */
  tail: number;
  isClosed: boolean;
  isFinal: boolean;
  isWeak: boolean;
  /** Times of the syllable, and the places of the recording that belong to them. */
  times: readonly number[];
  places: readonly number[];
};

const WEAK_SHARE = 0.75;
const FINAL_SHARE = 1.45;
const LAST_BUT_ONE_SHARE = 1.05;
/** Number of syllables after which a word may end with a breath, and number that must follow. */
const BREATH_AFTER = 7;
const BREATH_BEFORE = 3;
const BREATH_MS = 135;
/** Largest factor by which a recording is stretched. */
const MAX_STRETCH = 1.6;
/** Milliseconds of a vowel at either end that keep the speed of their transitions. */
const EDGE_MS = 40;
const DEVIATION = 0.08;
/**
 * Shortest rime in milliseconds that is heard: in fast speech syllables between two consonants
 * would disappear.
 */
const LEAST_RIME_MS = 60;
/** Recordings whose rime has a smaller clear share are quiet: ak, ep, et. */
const QUIET_SHARE = 0.8;
/**
 * Shortest such rime in milliseconds at the usual speed: up to 60 ms of it are below the level at
 * which it is heard in a low tone.
 */
const LEAST_QUIET_MS = 125;
/**
 * Share of their length that rimes of words recorded whole keep; onsets and closures keep all of
 * it.
 */
const WORD_RIME_SHARE = 0.7;
/** Limits of the pause as shares of the usual one, where sounds can be no shorter or no longer. */
const PAUSE_SHARES = { least: 0.2, most: 1.25 } as const;
/** Largest share by which consonants and long rimes are spoken faster than requested. */
const MAX_HASTE = 0.15;
/** Longest silence between words of slow speech, in milliseconds. */
const MAX_GAP_MS = 200;
const SEARCH_STEPS = 16;

type Options = {
  sounds: Sounds;
  ending: PhraseEnding;
  /** Rate of the voice, relative to the recordings'. */
  rate: number;
  /** Speed relative to the voice's usual rate. */
  speed: number;
  /** Samples before the phrase, at every speed. */
  lead: number;
  /** Samples of the pause after the phrase, at the rate of the recordings. */
  pause: number;
  /** Returns a random number with this standard deviation. */
  normal: (deviation: number) => number;
};

/** A phrase with its time, and the samples of the pause after it, if it has one. */
type TimedPhrase = { syllables: TimedSyllable[]; pause: number };

/**
 * Computes the times of a phrase by kind of sound, word and place in the breath group.
 *
 * Voiceless onsets are not lengthened and rimes not shortened without limit, but together with its
 * pause a phrase has the length that the speed requires, as far as it can. As in human speech, fast
 * speech has shorter pauses then, and slow speech longer ones and silence between words: longer
 * rimes and shorter consonants would be misheard.
 */
export function timePhrase(
  syllables: readonly PlannedSyllable[],
  { rate, speed, lead, pause, normal, ...options }: Options,
): TimedPhrase {
  const variations = syllables.map(() => Math.exp(normal(DEVIATION)));
  const leastRimes = syllables.map(({ sound }) => leastRimeOf(sound) / Math.max(1, speed));
  const timeAt = (pace: number, gap: number) =>
    timeSyllables(syllables, { ...options, variations, leastRimes, pace, gap });
  const usual = timeAt(rate, 0);
  const usualPause = pause / rate;
  if (speed === 1) return { syllables: usual, pause: usualPause };
  const total = (lead + lengthOf(usual) + usualPause) / speed - lead;
  const leastPause = (PAUSE_SHARES.least * usualPause) / speed;
  const mostPause = (PAUSE_SHARES.most * usualPause) / speed;
  const pace = rate * speed;
  // Find the least haste and silence with which the pause is within its bounds.
  const haste = leastOf(MAX_HASTE, (by) => total - lengthOf(timeAt(pace * (1 + by), 0)) >= leastPause);
  const gap = leastOf(MAX_GAP_MS * MS, (by) => total - lengthOf(timeAt(pace, by)) <= mostPause);
  const timed = timeAt(pace * (1 + haste), gap);
  return { syllables: timed, pause: pause === 0 ? 0 : Math.max(leastPause, total - lengthOf(timed)) };
}

/** Returns the samples of a rime in which its recording is heard; 0 for a clear one. */
function leastRimeOf(sound: PlannedSyllable['sound']): number {
  return clearShareOf(sound) < QUIET_SHARE ? LEAST_QUIET_MS * MS : 0;
}

const lengthOf = (timed: readonly TimedSyllable[]) => timed.at(-1)?.to ?? 0;

/** Returns the least value from 0 to `limit` that is enough; `limit` if none is. */
function leastOf(limit: number, isEnough: (value: number) => boolean): number {
  if (isEnough(0)) return 0;
  let [low, high] = [0, limit];
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

type PaceOptions = Pick<Options, 'sounds' | 'ending'> & {
  /** Divisor of all lengths that can be shortened and lengthened. */
  pace: number;
  /** Samples of silence before words that begin with a voiceless sound. */
  gap: number;
  /** Random factor of the rime of each syllable. */
  variations: readonly number[];
  /** Least samples of the rime of each syllable that was recorded quietly; 0 for others. */
  leastRimes: readonly number[];
};

function timeSyllables(syllables: readonly PlannedSyllable[], options: PaceOptions): TimedSyllable[] {
  const timed: TimedSyllable[] = [];
  let at = 0;
  let sinceBreath = 0;
  for (const [index, syllable] of syllables.entries()) {
    sinceBreath += 1;
    const syllablesLeft = syllables.length - 1 - index;
    const isWordEnd = syllable.place === syllable.length - 1;
    const next = syllables[index + 1];
    // No breath comes before a particle, which belongs to the word before it.
    const isBreath =
      isWordEnd && sinceBreath >= BREATH_AFTER && syllablesLeft >= BREATH_BEFORE && !isWeakWord(next, options.sounds);
    if (isBreath) sinceBreath = 0;
    const before = timed.at(-1);
    const variation = options.variations[index]!;
    const leastRime = options.leastRimes[index]!;
    const timedSyllable = timeSyllable(syllable, {
      ...options,
      variation,
      leastRime,
      at,
      isBreath,
      syllablesLeft,
      before,
      after: next,
    });
    timed.push(timedSyllable);
    at = timedSyllable.to;
  }
  return timed;
}

type Around = PaceOptions & {
  variation: number;
  leastRime: number;
  at: number;
  isBreath: boolean;
  syllablesLeft: number;
  before: TimedSyllable | undefined;
  after: PlannedSyllable | undefined;
};

function timeSyllable(syllable: PlannedSyllable, around: Around): TimedSyllable {
  const { sound, place, length, isEnglish } = syllable;
  const { parts } = sound;
  const { sounds, before, after, syllablesLeft, isBreath, pace, variation, leastRime, at } = around;
  const scale = MS / pace;
  const isFinal = isBreath || (syllablesLeft === 0 && around.ending !== 'none');
  const isWeak = isWeakWord(syllable, sounds);
  const isInside = isWeak || place > 0;
  const closureShare = before?.sound.parts.isChecked === true ? 0.5 : isInside ? 0.9 : 1;
  const { onset, closure } = consonantOf(syllable, around, closureShare, isWeak);
  const rimeShare =
    (isEnglish ? englishRimeShare(parts, sounds.english) : 1) *
    (isWeak && !isFinal ? WEAK_SHARE : 1) *
    (isFinal ? FINAL_SHARE : syllablesLeft === 1 ? LAST_BUT_ONE_SHARE : 1) *
    (length > 1 ? (isInsideWord(place, length) ? 0.9 : 1.06) : 1) *
    variation;
  const recordedRime = sound.end - sound.rime;
  const usualRime = isWhole(syllable)
    ? recordedRime * WORD_RIME_SHARE * variation
    : Math.min(sounds.rimeMs(parts) * rimeShare * MS, recordedRime * MAX_STRETCH * Math.max(1, pace));
  const rime = Math.max(usualRime / pace, Math.min(usualRime, LEAST_RIME_MS * MS), leastRime);
  const tailMs = isBreath
    ? BREATH_MS
    : !parts.isChecked || isFinal
      ? 0
      : isEnglish
        ? sounds.english.stopMs
        : after !== undefined && followsOpenly(after)
          ? 40
          : 15;
  const begin = at + closure;
  const end = begin + onset + rime;
  return {
    ...syllable,
    from: at,
    begin,
    rime: begin + onset,
    end,
    to: end + tailMs * scale,
    tail: tailMs * scale,
    isClosed: closure > 0 || before === undefined,
    isFinal,
    isWeak,
    ...mapSyllable(syllable, { begin, onset, rime, scale, ...sharesOf(syllable, sounds) }),
  };
}

function englishRimeShare({ isChecked, isNasal }: SyllableParts, { rimeShare, codaShare }: EnglishManner): number {
  return isChecked || isNasal ? rimeShare * codaShare : rimeShare;
}

/** Returns true if the syllable is part of a word that was recorded whole. */
const isWhole = ({ followsOn, isFollowed }: PlannedSyllable) => followsOn || isFollowed;

/**
 * Returns the vowel's share of the rime, which in words recorded whole is the recorded one, the
 * factor of its beginning that keeps the recorded speed, and the share of the recorded vowel that
 * is used.
 */
function sharesOf(syllable: PlannedSyllable, { vowelShare, english }: Sounds) {
  const { parts, rime, coda, end } = syllable.sound;
  return {
    vowelShare: isWhole(syllable) ? (coda - rime) / (end - rime) : vowelShare(parts),
    transitionShare: syllable.isEnglish && !isOpen(parts) ? english.transitionShare : 1,
    keptShare: syllable.isEnglish && coda === end && !parts.isChecked ? english.keptShare : 1,
  };
}

/** Returns the samples of the onset and of the closure before it. */
function consonantOf(syllable: PlannedSyllable, around: Around, closureShare: number, isWeak: boolean) {
  const { sound, followsOn } = syllable;
  const { sounds, before, pace, gap } = around;
  const scale = MS / pace;
  const recorded = sound.rime - sound.start;
  const { manner } = sound.parts;
  const usualMs = isWhole(syllable) ? null : sounds.onsetMs(sound.parts);
  const isNoisy = manner !== 'open' && manner !== 'plain-stop';
  const addedShare = syllable.isEnglish && isNoisy ? sounds.english.noiseShare : 0;
  const usual =
    usualMs === null ? recorded : usualMs * (isWeak ? 0.8 : 1) * MS + addedShare * Math.max(0, recorded - usualMs * MS);
  // A longer noise would make stops sound like affricates, and affricates like fricatives.
  const longest = manner === 'open' ? Infinity : manner === 'plain-stop' ? recorded : Math.max(recorded, usual);
  const onset = Math.min(usual / pace, longest);
  if (before === undefined) return { onset, closure: 0 };
  if (followsOn) return { onset, closure: Math.max(0, sound.start - before.sound.end) / pace };
  const share = syllable.isEnglish ? closureShare * sounds.english.closureShare : closureShare;
  const isApart = syllable.place === 0 && !isWeak && !isOpen(sound.parts);
  return { onset, closure: sounds.closureMs(sound.parts) * share * scale + (isApart ? gap : 0) };
}

const isInsideWord = (place: number, length: number) => place < length - 1;

/**
 * Returns true for words of one weak syllable; inside longer words the same sounds have their full
 * length.
 */
function isWeakWord(syllable: PlannedSyllable | undefined, { weak, language }: Sounds): boolean {
  if (syllable === undefined || !weak.has(syllable.label)) return false;
  return language === 'cantonese' || syllable.length === 1;
}

function followsOpenly({ sound: { parts } }: PlannedSyllable): boolean {
  return isOpen(parts) || parts.manner === 'fricative';
}

type Spans = {
  begin: number;
  onset: number;
  rime: number;
  scale: number;
  vowelShare: number;
  transitionShare: number;
  keptShare: number;
};

/** Maps output times to places in the recording, linearly in between. */
export function mapSyllable(
  { sound, isFollowed }: Pick<PlannedSyllable, 'sound' | 'isFollowed'>,
  { begin, onset, rime, scale, vowelShare, transitionShare, keptShare }: Spans,
) {
  const { parts, start } = sound;
  const coda = sound.rime + keptShare * (sound.coda - sound.rime);
  const end = sound.end - (sound.coda - coda);
  const vowel = coda === end ? rime : rime * vowelShare;
  const edge = Math.min(EDGE_MS * scale, (coda - sound.rime) * 0.3, vowel * 0.35);
  const transition = edge * transitionShare;
  let first = onset / 3;
  let last = onset / 3;
  let [a, b] = [start + (sound.rime - start) / 3, sound.rime - (sound.rime - start) / 3];
  if (hasClosure(parts)) {
    // A release loses its middle; the burst and the end stay.
    first = Math.min(18 * MS, onset * 0.4);
    last = Math.min(25 * MS, onset * 0.45);
    [a, b] = [start + first, Math.max(start + first, sound.rime - last)];
  }
  const offsets = [
    0,
    first,
    onset - last,
    onset,
    onset + transition,
    onset + vowel - edge * 0.7,
    onset + vowel,
    onset + rime,
  ];
  return {
    times: offsets.map((offset) => begin + offset),
    places: [
      start,
      a,
      b,
      sound.rime,
      sound.rime + transition,
      coda - edge * 0.7,
      coda,
      isFollowed ? end : end - (end - coda) * 0.25,
    ],
  };
}

/** Returns the place of the recording that belongs to a time. */
export function placeAt({ times, places }: Pick<TimedSyllable, 'times' | 'places'>, time: number): number {
  let k = 0;
  while (k < times.length - 2 && times[k + 1]! <= time) k += 1;
  const span = times[k + 1]! - times[k]!;
  const share = span <= 0 ? 1 : Math.min(1, Math.max(0, (time - times[k]!) / span));
  return places[k]! + (places[k + 1]! - places[k]!) * share;
}
