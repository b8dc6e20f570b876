import { levelsOf } from './levels.ts';
import type { Sounds } from './sounds.ts';
import { createUnit, MS, type SoundingUnit } from './unit.ts';

/** The recordings of the parts of a syllable; `coda` is null if `rime` gives the whole rime. */
type UnitParts = { onsets: readonly SoundingUnit[]; rime: SoundingUnit; coda: SoundingUnit | null };

/** A stretch of sound. `marks` has one sample in every period of the voice, also outside it. */
type Clip = { samples: Float32Array; marks: readonly number[]; from: number; to: number };

/** Number of periods in which one recording gives way to the next: about 30 ms. */
const BLENDED_PERIODS = 5;
/** Half of the samples in which sounds without voice give way to the next. */
const CROSSFADE = 1.5 * MS;
/**
 * Milliseconds of the second of two consonants before a vowel: a whole l after k or p is heard
 * alone.
 */
const SECOND_MS = 20;
/** Milliseconds before a nasal in which one vowel gives way to that before the other nasal. */
const NASALIZED_MS = 25;
/** Milliseconds at the end of a rime in which the mouth closes for a stop. */
const CLOSING_MS = 35;
/** Share of a vowel without a coda before the voice fades. */
const STEADY_SHARE = 0.8;

/**
 * Makes a syllable from parts of recordings: the consonants before the vowel, the vowel, and the
 * consonant after it. Where both sides have voice, periods of one are blended into periods of the
 * other.
 */
export function composeUnit(label: string, { onsets, rime: vowel, coda }: UnitParts, sounds: Sounds): SoundingUnit {
  const isNasal = coda !== null && coda.coda < coda.end;
  const vowelEnd = coda === null ? vowel.end : endOfVowel(vowel) - (isNasal ? NASALIZED_MS * MS : 0);
  const vowelClip = clipOf(vowel, vowel.rime, vowelEnd);
  const onset = onsets
    .map((unit, index) => clipOf(unit, index === 0 ? unit.start : startOfSecond(unit), unit.rime))
    .reduce<Clip | null>(joinAfter, null);
  const { from: start, to: rime } = onset ?? { from: vowelClip.from, to: vowelClip.from };
  let whole = joinAfter(onset, vowelClip);
  let codaAt = whole.to - (coda === null ? vowel.end - vowel.coda : 0);
  if (coda !== null) {
    if (isNasal) codaAt += NASALIZED_MS * MS;
    whole = join(whole, clipOf(coda, isNasal ? coda.coda - NASALIZED_MS * MS : coda.end - CLOSING_MS * MS, coda.end));
    if (!isNasal) codaAt = whole.to;
  }
  const { samples, marks, to: end } = whole;
  const spoken = marks.filter((mark) => mark >= start && mark <= end);
  const cuts = { start, rime, coda: codaAt, end, marks: Int32Array.from(spoken) };
  const unit = createUnit({ label, from: 0, length: samples.length, ...cuts }, sounds);
  return { ...unit, samples, levels: levelsOf(unit, samples) };
}

function clipOf({ samples, voicedMarks }: SoundingUnit, from: number, to: number): Clip {
  return { samples, marks: [...voicedMarks], from: Math.round(from), to: Math.round(to) };
}

/** Returns the place from which a consonant after another one is heard. */
const startOfSecond = ({ start, rime }: SoundingUnit) => Math.max(start, rime - SECOND_MS * MS);

/** Returns the place where the vowel of a recording ends and its coda, or its fading, begins. */
function endOfVowel({ rime, coda, end, parts }: SoundingUnit): number {
  if (coda < end) return coda;
  if (parts.isChecked) return Math.max(rime + 0.5 * (end - rime), end - CLOSING_MS * MS);
  return rime + STEADY_SHARE * (end - rime);
}

const joinAfter = (before: Clip | null, after: Clip): Clip => (before === null ? after : join(before, after));

/** Joins two stretches; what is before the first and after the second stays around them. */
function join(before: Clip, after: Clip): Clip {
  const i = before.marks.findIndex((mark) => mark >= before.to);
  const j = after.marks.findIndex((mark) => mark >= after.from);
  const periods = Math.min(
    BLENDED_PERIODS,
    i < 1 ? 0 : before.marks.length - 1 - i,
    j < 0 ? 0 : after.marks.filter((mark) => mark <= after.to).length - 2 - j,
  );
  return periods >= 2 ? blend(before, after, { i, j, periods }) : crossfade(before, after);
}

/** Joins periods of the voice from mark `i` of one recording and from mark `j` of the other. */
function blend(before: Clip, after: Clip, { i, j, periods }: { i: number; j: number; periods: number }): Clip {
  const places = [before.marks[i]!];
  for (let k = 0; k < periods; k += 1) {
    const share = (k + 0.5) / periods;
    const period =
      (1 - share) * (before.marks[i + k + 1]! - before.marks[i + k]!) +
      share * (after.marks[j + k + 1]! - after.marks[j + k]!);
    places.push(places.at(-1)! + Math.round(period));
  }
  const [first, last] = [places[0]!, places.at(-1)!];
  const shift = last - after.marks[j + periods]!;
  const samples = new Float32Array(last + after.samples.length - after.marks[j + periods]!);
  samples.set(before.samples.subarray(0, first));
  samples.set(after.samples.subarray(after.marks[j + periods]), last);
  for (const [k, place] of places.entries()) {
    const share = k / periods;
    const [left, right] = [k === 0 ? 0 : place - places[k - 1]!, k === periods ? 0 : places[k + 1]! - place];
    for (let at = -left; at < right; at += 1) {
      const window = 0.5 + 0.5 * Math.cos((Math.PI * at) / (at < 0 ? left : right));
      const one = before.samples[before.marks[i + k]! + at] ?? 0;
      const other = after.samples[after.marks[j + k]! + at] ?? 0;
      samples[place + at]! += window * ((1 - share) * one + share * other);
    }
  }
  const marks = [
    ...before.marks.slice(0, i),
    ...places,
    ...after.marks.slice(j + periods + 1).map((mark) => mark + shift),
  ];
  return { samples, marks, from: before.from, to: after.to + shift };
}

/** Joins sounds of which at least one has no voice. */
function crossfade(before: Clip, after: Clip): Clip {
  const shift = before.to - after.from;
  const samples = new Float32Array(Math.max(0, after.samples.length + shift));
  for (let at = 0; at < samples.length; at += 1) {
    const share = Math.min(1, Math.max(0, (at - before.to + CROSSFADE) / (2 * CROSSFADE)));
    samples[at] = (1 - share) * (before.samples[at] ?? 0) + share * (after.samples[at - shift] ?? 0);
  }
  const marks = [
    ...before.marks.filter((mark) => mark < before.to),
    ...after.marks.filter((mark) => mark >= after.from).map((mark) => mark + shift),
  ];
  return { samples, marks, from: before.from, to: after.to + shift };
}
