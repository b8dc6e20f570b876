import { isOpen, type Sounds, type SyllableParts } from '#packages/engines/syllable/sounds.ts';
import type { UnitCuts } from '#packages/engines/syllable/voice-file.ts';
import { codaOf, LEVEL, levelled, steps } from './cut-syllable.ts';
import { filterBothWays, MS, powerAround, steepestChange } from './signal.ts';
import { HOP, placeMarks, trackPitchWithin } from './track-marks.ts';

export type CutWord = { samples: Float32Array; units: (UnitCuts & { label: string })[] };

/** The rough place of a syllable, in samples: frames of a recognizer are some 30 ms long. */
type Span = { from: number; to: number };

/** Pitch around the speaker's middle, semitones. */
const REACH = [-15, 9] as const;
/** A boundary is looked for so far around the aligned one. */
const SEARCH = 45 * MS;
const MARGIN = 15 * MS;
/** Level of a beginning below the word's own, and of an end below the syllable's. */
const SILENT_DB = -38;
const FADED_DB = -18;
/** Level of a voice below 500 Hz, below the loudest one there. */
const VOICE_DB = -26;
const SHORTEST_VOICE = 40 * MS;
/** Shorter ones are cut at the wrong place: an h can be voiced. */
const SHORTEST_FRICATIVE = 40 * MS;
const LONG_AFFRICATES = new Set(['c', 'ch', 'q']);
const SHORTEST_PERIOD = 1.5 * MS;
/** Longest and shortest times from a burst to the voice. */
const BURST_MS = { short: [60, 0], middle: [130, 15], long: [220, 30] } as const;
/** A burst rises within this time, from the level of a closure. */
const RISE = 4 * MS;
const QUIET = 1e-6;
/** A little of the closure is kept: grains of sound have soft edges. */
const ONSET_MARGIN = 8 * MS;
const LONGEST_GAP = 60 * MS;
/** The shortest part of an open syllable before its rime, and the longest. */
const OPEN_MS = [30, 110] as const;

/**
 * Trims, levels and cuts a recorded word at its syllables, and marks its periods. `spans` are the
 * syllables' places in the recording, from alignment, in samples. Throws an Error when a syllable
 * has no voice.
 */
export function cutWord(
  recording: Float32Array,
  labels: readonly string[],
  spans: readonly Span[],
  sounds: Sounds,
): CutWord {
  const x = levelled(filterBothWays(Float64Array.from(recording), 'high', 70));
  const levels = powerAround(x, 2 * HOP).map((power) => 10 * Math.log10(power / LEVEL ** 2 + 1e-12));
  const [low, high] = REACH.map((semitones) => sounds.middleHz * 2 ** (semitones / 12)) as [number, number];
  const voiced = voicedFrames(x);
  const pitch = trackPitchWithin(x, low, high).map((hz, i) => (voiced[i] === 0 ? 0 : hz));
  const parts = labels.map((label) => sounds.partsOf(label));
  const bounds = boundaries(x, levels, voiced, parts, spans);
  const units = bounds.map(({ start, rime, end }, i) => {
    if (end - rime < SHORTEST_VOICE) throw new Error(`${labels.join(' ')}: syllable ${i + 1} has no voice.`);
    return { label: labels[i]!, start, rime, coda: codaOf(x, parts[i]!, rime, end), end };
  });
  const marks = marksOf(x, pitch, voiced);
  const first = Math.max(0, units[0]!.start - MARGIN);
  const last = Math.min(x.length, units.at(-1)!.end + MARGIN);
  const moved = (at: number) => Math.round(at) - first;
  return {
    samples: Float32Array.from(x.subarray(first, last)),
    units: units.map(({ label, start, rime, coda, end }, i) => {
      // The voice of an open onset begins with it; before others another syllable may end.
      const from = isOpen(parts[i]!) ? start - MARGIN : Math.max(start, rime - MARGIN);
      const ownMarks = marks.filter((mark) => mark >= Math.max(first, from) && mark < Math.min(last, end + MARGIN));
      if (ownMarks.length < 4) throw new Error(`${labels.join(' ')}: syllable ${i + 1} has no pitch.`);
      return {
        label,
        start: moved(start),
        rime: moved(rime),
        coda: moved(coda),
        end: moved(end),
        marks: Int32Array.from(ownMarks, moved),
      };
    }),
  };
}

/** One mark in every period of the voiced parts; creaky ones have the pitch beside them. */
function marksOf(x: Float64Array, pitch: Float64Array, voiced: Float64Array): number[] {
  const hasPitch = ([from, to]: [number, number]) =>
    pitch.slice(from / HOP, to / HOP).filter((hz) => hz > 0).length >= 4;
  const runs = voicedRuns(voiced).filter(hasPitch);
  const all = runs.flatMap(([from, to]) => [...placeMarks(x, pitch, from, to)]).toSorted((a, b) => a - b);
  // Neighbouring parts reach into each other by a period.
  return all.filter((mark, i) => i === 0 || mark - all[i - 1]! > SHORTEST_PERIOD);
}

type Bounds = { start: number; rime: number; end: number };

function boundaries(
  x: Float64Array,
  levels: Float64Array,
  voiced: Float64Array,
  parts: readonly SyllableParts[],
  spans: readonly Span[],
): Bounds[] {
  const found: Bounds[] = [];
  for (const [i, part] of parts.entries()) {
    const { from, to } = spans[i]!;
    const before = found[i - 1];
    const earliest = before === undefined ? 0 : before.rime + SHORTEST_VOICE;
    const next = spans[i + 1];
    const latest = next === undefined ? x.length : Math.min(x.length, next.from + SEARCH);
    let start: number;
    let rime: number;
    if (isOpen(part)) {
      start = before === undefined ? beginning(levels, from) : openBoundary(x, earliest, from);
      rime = part.onset === '' ? start : openRime(x, start, to);
      if (before !== undefined) before.end = start;
    } else {
      rime = voiceStart(voiced, levels, Math.max(earliest, from - SEARCH), Math.min(latest, to));
      if (before !== undefined) before.end = voiceEnd(voiced, levels, before.rime, Math.min(rime, from + SEARCH));
      const least = before === undefined ? beginning(levels, Math.min(from, rime)) : before.end;
      start = part.manner === 'fricative' ? least : Math.max(least, burstIn(x, part, least, rime));
      start = Math.max(0, Math.min(start, rime) - ONSET_MARGIN);
      if (part.manner === 'fricative' && rime - start < SHORTEST_FRICATIVE)
        throw new Error(`the fricative of syllable ${i + 1} is not found.`);
    }
    const end =
      next === undefined ? fadedAt(levels, Math.round(rime), latest) : Math.max(rime + SHORTEST_VOICE, next.from);
    found.push({ start: Math.round(start), rime: Math.round(rime), end: Math.round(end) });
  }
  return found;
}

/** The first sample of the sound around an aligned beginning. */
function beginning(levels: Float64Array, from: number): number {
  let at = Math.max(0, Math.min(levels.length - 1, Math.round(from)));
  const earliest = Math.max(0, from - 150 * MS);
  while (at < levels.length - 1 && levels[at]! < SILENT_DB) at += 1;
  while (at > earliest && levels[at - 1]! >= SILENT_DB) at -= 1;
  return at;
}

/** The first steep rise of the high frequencies after a closure. */
function burstIn(x: Float64Array, { onset, manner }: SyllableParts, from: number, voice: number): number {
  const kind =
    manner === 'aspirated-stop' || LONG_AFFRICATES.has(onset) ? 'long' : manner === 'affricate' ? 'middle' : 'short';
  const [longest, shortest] = BURST_MS[kind];
  const first = Math.round(Math.max(from, voice - longest * MS));
  const last = Math.round(voice - shortest * MS);
  if (last - first < 2 * RISE) return first;
  const at = Math.max(0, first - 2 * RISE);
  const part = x.slice(at, last + 2 * RISE);
  const level = powerAround(filterBothWays(part, 'high', 1_500), RISE).map((power) => 10 * Math.log10(power + QUIET));
  const rises: number[] = [];
  for (let i = first; i < last; i += 1) rises.push((level[i - at + RISE] ?? -60) - (level[i - at - RISE] ?? -60));
  const most = rises.reduce((a, b) => Math.max(a, b), -Infinity);
  return first + rises.findIndex((rise) => rise >= 0.6 * most) - 2 * MS;
}

function openBoundary(x: Float64Array, earliest: number, aligned: number): number {
  const at = steps(Math.max(earliest, aligned - SEARCH), aligned + SEARCH);
  return at.length > 4 ? steepestChange(x, at, 12 * MS) : Math.max(earliest, aligned);
}

function openRime(x: Float64Array, start: number, to: number): number {
  const [least, most] = OPEN_MS;
  const at = steps(start + least * MS, Math.min(start + most * MS, start + 0.45 * (to - start)));
  return at.length > 4 ? steepestChange(x, at, 10 * MS) : start + least * MS;
}

/** Finds where voicing begins after a voiceless onset: the longest voiced part decides. */
function voiceStart(voiced: Float64Array, levels: Float64Array, from: number, to: number): number {
  const runs = voicedRuns(voiced)
    .map(([a, b]): [number, number] => [Math.max(a, from), Math.min(b, to)])
    .filter(([a, b]) => b > a);
  const [start, end] = runs.reduce((best, run) => (run[1] - run[0] > best[1] - best[0] ? run : best), [0, 0]);
  if (end - start < SHORTEST_VOICE) throw new Error('no voice where a syllable should be.');
  // A voice that never stops between two syllables is weakest in the onset.
  if (start > from + HOP) return start;
  let weakest = start;
  for (let at = start; at < Math.min(end, from + 2 * SEARCH); at += 24)
    if (levels[at]! < levels[weakest]!) weakest = at;
  return weakest + 8 * MS;
}

function voiceEnd(voiced: Float64Array, levels: Float64Array, from: number, to: number): number {
  let end = from + SHORTEST_VOICE;
  for (let at = end; at < to; at += HOP)
    if (voiced[Math.floor(at / HOP)]! > 0 && levels[Math.round(at)]! > FADED_DB - 4) end = at;
  return end;
}

/** Finds the end of the last syllable; a breath after it is another sound. */
function fadedAt(levels: Float64Array, from: number, to: number): number {
  const loudest = levels.slice(from, to).reduce((a, b) => Math.max(a, b), -Infinity);
  let end = from;
  for (let at = from; at < to && at - end < LONGEST_GAP; at += 1) if (levels[at]! > loudest + FADED_DB) end = at;
  return end;
}

/**
 * 1 for each `HOP` samples with a voice, creaky ones included: there is more below 500 Hz than
 * above 2.5 kHz. The pitch does not tell it: its long window finds one within a fricative, and none
 * in a creaky vowel.
 */
function voicedFrames(x: Float64Array): Float64Array {
  const [low, high] = [filterBothWays(x, 'low', 500), filterBothWays(x, 'high', 2_500)].map((band) =>
    powerAround(band, 2 * HOP),
  ) as [Float64Array, Float64Array];
  const least = 10 ** (VOICE_DB / 10) * low.reduce((a, b) => Math.max(a, b), 0);
  return Float64Array.from({ length: Math.floor(x.length / HOP) }, (_, i) => {
    const at = Math.min(x.length - 1, i * HOP + (HOP >> 1));
    return Number(low[at]! > least && low[at]! > high[at]!);
  });
}

/** `frames`: 0 where there is no voice. */
function voicedRuns(frames: Float64Array): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let i = 0; i < frames.length; i += 1) {
    if (frames[i] === 0) continue;
    const before = runs.at(-1);
    // A moment without pitch is inside a voice.
    if (before !== undefined && i * HOP - before[1] <= 3 * HOP) before[1] = (i + 1) * HOP;
    else runs.push([i * HOP, (i + 1) * HOP]);
  }
  return runs;
}
