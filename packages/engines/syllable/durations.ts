import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import { isFricative, isOpenOnset, isPlainStop, hasClosure } from './syllable-parts.ts';
import { MS, type Unit } from './unit.ts';

/** A syllable to speak: what is known before its time. */
export type PlannedSyllable = {
  label: string;
  sound: Unit;
  tune: Unit;
  /** Place in its word, and the word's length. */
  place: number;
  length: number;
  /** Index of its word in the phrase. */
  word: number;
};

/** A syllable with its time, in samples from the beginning of its phrase. */
export type TimedSyllable = PlannedSyllable & {
  /** Begins with the closure before the sound. */
  from: number;
  begin: number;
  rime: number;
  end: number;
  /** Includes the silence of an unreleased stop, or of a breath. */
  to: number;
  /** Silence after the sound. */
  tail: number;
  isClosed: boolean;
  isFinal: boolean;
  isWeak: boolean;
  /** Times, and the places of the recording that belong to them. */
  times: readonly number[];
  places: readonly number[];
};

/** Milliseconds of onsets in connected speech, and of the closure before them. */
const ONSET_MS: Readonly<Record<string, number>> = {
  b: 30, d: 30, g: 30, gw: 30, p: 50, t: 50, k: 60, kw: 65, z: 45, c: 80,
  s: 85, f: 75, h: 60, m: 60, n: 55, ng: 60, l: 50, w: 55, j: 55, '': 0,
}; // prettier-ignore
const CLOSURE_MS: Readonly<Record<string, number>> = {
  b: 32, d: 30, g: 28, gw: 28, p: 36, t: 34, k: 32, kw: 32, z: 24, c: 26,
}; // prettier-ignore
/** Words without weight of their own are short. */
const WEAK = new Set('ge3 zo2 hai6 go3 di1 dou1 zau6 keoi5 nei5 ngo5 dei6 hai2 gam2 lei4 aa3 laa1 wo4 m4'.split(' '));
const WEAK_SHARE = 0.75;
const FINAL_SHARE = 1.45;
const LAST_BUT_ONE_SHARE = 1.05;
/** A breath at the end of a word after this many syllables, when as many as the second follow. */
const BREATH_AFTER = 7;
const BREATH_BEFORE = 3;
const BREATH_MS = 135;
/** A recording is stretched no further. */
const MAX_STRETCH = 1.6;
/** Vowels keep the speed of their transitions for this long. */
const EDGE_MS = 40;
const DEVIATION = 0.08;

type Options = {
  ending: PhraseEnding;
  /** 1 is the usual rate. */
  speed: number;
  /** A random number with this standard deviation. */
  normal: (deviation: number) => number;
};

/** The times of a phrase by kind of sound, word and place in the breath group. */
export function timeSyllables(syllables: readonly PlannedSyllable[], options: Options): TimedSyllable[] {
  const timed: TimedSyllable[] = [];
  let at = 0;
  let sinceBreath = 0;
  for (const [index, syllable] of syllables.entries()) {
    sinceBreath += 1;
    const left = syllables.length - 1 - index;
    const isWordEnd = syllable.place === syllable.length - 1;
    const next = syllables[index + 1];
    // Particles belong to what is before them.
    const isBreath = isWordEnd && sinceBreath >= BREATH_AFTER && left >= BREATH_BEFORE && !WEAK.has(next?.label ?? '');
    if (isBreath) sinceBreath = 0;
    const before = timed.at(-1);
    const made = timeSyllable(syllable, { ...options, at, isBreath, left, before, after: next });
    timed.push(made);
    at = made.to;
  }
  return timed;
}

type Around = Options & {
  at: number;
  isBreath: boolean;
  left: number;
  before: TimedSyllable | undefined;
  after: PlannedSyllable | undefined;
};

function timeSyllable(syllable: PlannedSyllable, around: Around): TimedSyllable {
  const { sound, place, length } = syllable;
  const { parts } = sound;
  const { before, after, left, isBreath, speed, at } = around;
  const scale = MS / speed;
  const isFinal = isBreath || (left === 0 && around.ending !== 'none');
  const isWeak = WEAK.has(syllable.label);
  const isInside = isWeak || place > 0;
  const closureShare = before?.sound.parts.isChecked === true ? 0.5 : isInside ? 0.9 : 1;
  const closure = before === undefined ? 0 : (CLOSURE_MS[parts.onset] ?? 0) * closureShare * scale;
  const recordedOnset = sound.rime - sound.start;
  const wantedOnset = ONSET_MS[parts.onset]! * (isWeak ? 0.8 : 1) * scale;
  const onset = isPlainStop(parts.onset) ? Math.min(recordedOnset, wantedOnset) : wantedOnset;
  const rimeShare =
    (isWeak && !isFinal ? WEAK_SHARE : 1) *
    (isFinal ? FINAL_SHARE : left === 1 ? LAST_BUT_ONE_SHARE : 1) *
    (length > 1 ? (isInsideWord(place, length) ? 0.9 : 1.06) : 1) *
    Math.exp(around.normal(DEVIATION));
  const rime = Math.min(
    rimeMs(sound) * rimeShare * scale,
    ((sound.end - sound.rime) * MAX_STRETCH) / Math.min(1, speed),
  );
  const tailMs = isBreath
    ? BREATH_MS
    : !parts.isChecked || isFinal
      ? 0
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
    ...mapping(sound, begin, onset, rime, scale),
  };
}

const isInsideWord = (place: number, length: number) => place < length - 1;

function followsOpenly({ sound: { parts } }: PlannedSyllable): boolean {
  return isOpenOnset(parts.onset) || isFricative(parts.onset);
}

function rimeMs({ parts: { rime, isChecked, isNasal, isSyllabic } }: Unit): number {
  if (isChecked) return rime.startsWith('aa') ? 120 : 95;
  if (isSyllabic) return 145;
  return isNasal || rime.length > 2 || rime === 'aa' ? 185 : 160;
}

/** Shares of the vowel in rimes with a nasal. */
const SHORT_VOWEL_SHARE = 0.3;
const VOWEL_SHARE = 0.72;

/** Which place of the recording sounds when; between these, evenly. */
function mapping(sound: Unit, begin: number, onset: number, rime: number, scale: number) {
  const { parts, start, coda, end } = sound;
  const vowelShare = coda === end ? 1 : parts.hasShortVowel ? SHORT_VOWEL_SHARE : VOWEL_SHARE;
  const vowel = rime * vowelShare;
  const edge = Math.min(EDGE_MS * scale, (coda - sound.rime) * 0.3, vowel * 0.35);
  let first = onset / 3;
  let last = onset / 3;
  let [a, b] = [start + (sound.rime - start) / 3, sound.rime - (sound.rime - start) / 3];
  if (hasClosure(parts.onset)) {
    // Of a release, the middle goes; the burst and the end stay.
    first = Math.min(18 * MS, onset * 0.4);
    last = Math.min(25 * MS, onset * 0.45);
    [a, b] = [start + first, Math.max(start + first, sound.rime - last)];
  }
  const offsets = [
    0,
    first,
    onset - last,
    onset,
    onset + edge,
    onset + vowel - edge * 0.7,
    onset + vowel,
    onset + rime,
  ];
  return {
    times: offsets.map((offset) => begin + offset),
    places: [start, a, b, sound.rime, sound.rime + edge, coda - edge * 0.7, coda, end - (end - coda) * 0.25],
  };
}

/** The place of the recording that belongs to a time. */
export function placeAt({ times, places }: Pick<TimedSyllable, 'times' | 'places'>, time: number): number {
  let k = 0;
  while (k < times.length - 2 && times[k + 1]! <= time) k += 1;
  const span = times[k + 1]! - times[k]!;
  const share = span <= 0 ? 1 : Math.min(1, Math.max(0, (time - times[k]!) / span));
  return places[k]! + (places[k + 1]! - places[k]!) * share;
}
