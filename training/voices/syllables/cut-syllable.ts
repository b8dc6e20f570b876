import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { hasClosure, isOpen, type SyllableParts } from '#packages/engines/syllable/sounds.ts';
import type { UnitCuts } from '#packages/engines/syllable/voice-file.ts';
import { filterBothWays, MS, powerAround, steepestChange } from './signal.ts';
import { shortenRime } from './shorten-rime.ts';
import { HOP, placeMarks, trackPitchWithin } from './track-marks.ts';

export type CutSyllable = UnitCuts & { label: string; samples: Float32Array };

/** Semitones around tone 3 where each tone's pitch can be: no octave errors. */
const REACH: Readonly<Record<number, readonly [low: number, high: number]>> = {
  1: [-1, 10],
  2: [-9, 8],
  3: [-4, 4],
  4: [-10, -2],
  5: [-8, 4],
  6: [-6, 1],
};
/** The loudest part of every rime gets this level. */
export const LEVEL = 0.12;
/** An onset with voice has its full level above this. */
const ONSET_DB = -14;
/** Carefully spoken sonorants last longer than this. */
const SHORTEST_ONSET_MS = 50;
/** A shorter time without a pitch is inside a voice: where rising tones turn, they may creak. */
const SHORT_BREAK = Math.round(20 * MS);
/** A voice that keeps this level may be without a pitch for so long. */
const LONGEST_BREAK = Math.round(40 * MS);
const BREAK_DB = -18;
/** Part of a syllable that its sonorant can take. */
const ONSET_SHARE = 0.42;
/** Kept on either side of the syllable, for the windows of the engine. */
const MARGIN = Math.round(15 * MS);
/** Longest onsets that are searched, ms. */
const FRICATIVE_MS: Readonly<Record<string, number>> = { s: 128, f: 112, h: 90 };

/**
 * Trims, levels and cuts a recorded syllable, and marks its periods. `middleHz` is the pitch of the
 * speaker's tone 3. Throws an Error for a recording without a voice within the reach of its tone.
 */
export function cutSyllable(recording: Float32Array, label: string, middleHz: number): CutSyllable {
  const parts = soundsOf('cantonese').partsOf(label);
  const x = levelled(filterBothWays(Float64Array.from(recording), 'high', 55));
  const levels = powerAround(x, 2 * HOP).map((power) => 10 * Math.log10(power / LEVEL ** 2 + 1e-12));
  const [low, high] = REACH[parts.tone]!.map((semitones) => middleHz * 2 ** (semitones / 12)) as [number, number];
  const pitch = trackPitchWithin(x, low, high);
  const [from, to] = longestVoice(pitch, levels);
  if (to - from < 5 * HOP) throw new Error(`${label}: no voice within the reach of its tone.`);

  const start = Math.min(from, startOf(x, levels, parts, from));
  const fadedDb = parts.isChecked ? -20 : parts.isNasal ? -19 : -12;
  let end = from;
  for (let i = from; i < to; i += 1) if (levels[i]! > fadedDb) end = i;
  const rime = rimeOf(x, levels, parts, { start, voice: from, end });
  end = Math.max(end, rime + Math.round(50 * MS));
  const coda = codaOf(x, parts, rime, end);

  const first = Math.max(0, start - MARGIN);
  const last = Math.min(x.length, end + MARGIN);
  const marks = placeMarks(x, pitch, from, to).filter((mark) => mark >= first && mark < last);
  const moved = (at: number) => Math.round(at) - first;
  return shortenRime({
    label,
    samples: Float32Array.from(x.subarray(first, last)),
    start: moved(start),
    rime: moved(rime),
    coda: moved(coda),
    end: moved(end),
    marks: marks.map(moved),
  });
}

export function levelled(x: Float64Array): Float64Array {
  const levels = powerAround(x, HOP).map(Math.sqrt);
  const loudest = levels.reduce((a, b) => Math.max(a, b), 0);
  const loud = levels.filter((level) => level > 0.2 * loudest).toSorted();
  const usual = loud[Math.floor(0.7 * loud.length)] ?? 1;
  return x.map((sample) => (sample / (usual + 1e-9)) * LEVEL);
}

/**
 * The longest stretch with voice. The pitch of rising tones is lost for a moment where they turn:
 * parts that are loud enough and near each other are one.
 */
function longestVoice(pitch: Float64Array, levels: Float64Array): [from: number, to: number] {
  const parts: [from: number, to: number][] = [];
  for (let i = 0; i < pitch.length; i += 1) {
    const from = i * HOP;
    while (i < pitch.length && pitch[i]! > 0) i += 1;
    const to = i * HOP;
    const before = parts.at(-1);
    if (to === from) continue;
    const gap = before === undefined ? Infinity : from - before[1];
    if (gap <= SHORT_BREAK || (gap <= LONGEST_BREAK && isLoud(levels, before![0], to))) before![1] = to;
    else parts.push([from, to]);
  }
  return parts.reduce((best, part) => (part[1] - part[0] > best[1] - best[0] ? part : best), [0, 0]);
}

/** Whether the level never falls to that of a pause between two places. */
function isLoud(levels: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i += HOP) if (levels[i]! < BREAK_DB) return false;
  return true;
}

function startOf(x: Float64Array, levels: Float64Array, parts: SyllableParts, voice: number): number {
  let start = Math.max(
    0,
    levels.findIndex((level) => level > -34),
  );
  // A click before the syllable is not its onset.
  for (let i = start; i < voice; i += 1) if (levels[i]! < -42) start = i;
  if (isOpen(parts)) return Math.max(start, voice - Math.round(10 * MS));
  if (parts.manner === 'fricative') return Math.max(start, voice - Math.round(FRICATIVE_MS[parts.onset]! * MS));
  if (hasClosure(parts) && voice - start > 12 * MS) return burstOf(x, parts, start, voice);
  return start;
}

/** Stops and affricates begin at their burst: the steepest rise of the high frequencies. */
function burstOf(x: Float64Array, { manner }: SyllableParts, start: number, voice: number): number {
  const rise = powerAround(filterBothWays(x, 'high', 1_500), 96).map((power) => 10 * Math.log10(power + 1e-8));
  const longest = (manner === 'plain-stop' ? 70 : 420) * MS;
  const from = Math.round(Math.max(start - 240, voice - longest, 120));
  const steps = Array.from({ length: Math.max(1, voice - from) }, (_, i) => {
    const at = from + i;
    return (rise[at + 120] ?? -80) - (rise[at - 120] ?? -80);
  });
  const most = steps.reduce((a, b) => Math.max(a, b), -Infinity);
  return from + steps.findIndex((step) => step >= 0.6 * most) - Math.round(3 * MS);
}

function rimeOf(
  x: Float64Array,
  levels: Float64Array,
  parts: SyllableParts,
  { start, voice, end }: { start: number; voice: number; end: number },
): number {
  const { onset, isSyllabic, hasShortVowel } = parts;
  if (onset === '' || isSyllabic) return start;
  if (!isOpen(parts)) return voice;
  const latest = Math.min(
    start + (onset === 'w' || onset === 'j' ? 240 : 190) * MS,
    start + ONSET_SHARE * (end - start),
    end - (hasShortVowel ? 150 : 60) * MS,
  );
  // The rise out of silence is not the change that is looked for.
  let full = Math.round(start + SHORTEST_ONSET_MS * MS);
  while (full < latest && levels[full]! < ONSET_DB) full += 1;
  const at = steps(full, latest);
  return at.length > 8 ? steepestChange(x, at, 10 * MS) : Math.round(start + 40 * MS);
}

/** Finds where the vowel becomes a final nasal; nasals of citation forms are far too long. */
export function codaOf(
  x: Float64Array,
  { isNasal, isSyllabic, hasShortVowel }: SyllableParts,
  rime: number,
  end: number,
) {
  if (!isNasal || isSyllabic) return end;
  const at = steps(rime + 45 * MS, end - 50 * MS);
  if (at.length <= 4) return end;
  const [low, usual, high] = hasShortVowel ? [0.14, 0.28, 0.5] : [0.4, 0.6, 0.8];
  const coda = steepestChange(x, at, 12 * MS);
  const share = (coda - rime) / (end - rime);
  return share > low! && share < high! ? coda : Math.round(rime + usual! * (end - rime));
}

export function steps(from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 2.5 * MS) found.push(at);
  return found;
}
