import { mean, median } from '@jyutsing/numeric/statistics';
import { PITCH_FRAME_MS, trackPitch } from '@jyutsing/audio/voice/track-pitch';
import type { AcousticAnalysis, ToneQuestion } from '#engines/builtin/pronunciation/types.ts';

/** Points of a contour, at equal distances within a syllable, as in the fitted tone models. */
export const CONTOUR_POINTS = 7;

/** Measured pitch of one syllable. */
export type Contour = {
  /** `CONTOUR_POINTS` means over equal parts of the voiced stretch, semitones above 1 Hz. */
  points: Float64Array;
  /** Start of the voiced part in milliseconds, from the start of the recording. */
  startMs: number;
  endMs: number;
};

/** The pitch and loudness of a recording, with a value every `PITCH_FRAME_MS`. */
export type PitchCourse = {
  pitchHz: Float32Array;
  levelDb: Float32Array;
};

/** Range of the pitch search, wider than the default of `trackPitch` for children's voices. */
const PITCH_RANGE = { minHz: 60, maxHz: 550 } as const;
/** Time to each side of a frame over which its level is measured, in milliseconds. */
const LEVEL_HALF_MS = 5;
/**
 * Distance in dB from the loudest part of the syllable, beyond which pitch is background, breath or
 * a neighbor.
 */
export const QUIET_DB = 18;
/**
 * Largest jump of a voice within 5 ms, in semitones: a larger one is an octave error, a voice
 * break, or another sound.
 */
const JUMP_SEMITONES = 2.5;
/** Largest gap, in frames, over which parts are joined when the pitch continues. */
const BRIDGED_FRAMES = 5;
/**
 * Conditions for joining parts to the loudest one: distance, length, and difference in semitones.
 */
const JOINED = { frames: 24, minFrames: 4, before: 3.5, after: 6.5, otherOctave: 3.5 } as const;
/**
 * Numbers of frames at the start and the end of a vowel whose pitch is bent by the consonants
 * beside it.
 */
const BENT_FRAMES_START = 2;
const BENT_FRAMES_END = 1;
/** Shortest stretch, in frames, whose ends are trimmed. */
const MIN_FRAMES_TO_TRIM = 8;
/** Least number of voiced frames that have a contour. */
const MIN_FRAMES = 4;
const MEDIAN_FRAMES = 5;
/**
 * Least strength of voicing at which the front end's pitch counts, and the least number of such
 * frames.
 */
const SURE_VOICING = 0.5;
const MIN_SURE_FRAMES = 2;
/** Largest difference, in semitones, between two measurements of one pitch. */
const SAME_PITCH_SEMITONES = 2;
/** Frames before an aligned onset in which the voice may already belong to the syllable. */
const LEAD_FRAMES = 6;

/** Tracks the pitch of a whole recording. */
export function measurePitchCourse(samples: Float32Array, sampleRateHz: number): PitchCourse {
  const { pitchHz } = trackPitch(samples, sampleRateHz, PITCH_RANGE);
  const hop = (sampleRateHz * PITCH_FRAME_MS) / 1_000;
  const half = (sampleRateHz * LEVEL_HALF_MS) / 1_000;
  const levelDb = pitchHz.map((_, frame) => {
    const from = Math.max(0, Math.round(frame * hop - half));
    const to = Math.min(samples.length, Math.round(frame * hop + half));
    let power = 1e-9;
    for (let at = from; at < to; at++) power += samples[at]! * samples[at]!;
    return 10 * Math.log10(power / (2 * half));
  });
  return { pitchHz, levelDb };
}

/**
 * Measures the contour of every syllable; null where there is no voicing. CTC marks a syllable by
 * few frames, most often near its end: the voiced part around them is used, limited by the
 * neighbors.
 */
export function measureContours(
  questions: readonly ToneQuestion[],
  analysis: Pick<AcousticAnalysis, 'labels' | 'pitch'>,
  course: PitchCourse,
): (Contour | null)[] {
  const perFrame = analysis.labels.frameMs / PITCH_FRAME_MS;
  return questions.map((question, index) => {
    const before = questions[index - 1];
    const after = questions[index + 1];
    let from = before === undefined ? 0 : before.endFrame * perFrame;
    if (before !== undefined && hasOnset(question)) from = Math.max(from, question.startFrame * perFrame - LEAD_FRAMES);
    let to = course.pitchHz.length;
    if (after !== undefined) to = (hasOnset(after) ? after.startFrame : question.endFrame + 1) * perFrame;
    from = Math.max(0, Math.min(Math.round(from), course.pitchHz.length - 1));
    const contour = contourWithin(course, from, Math.max(from + 1, Math.min(Math.round(to), course.pitchHz.length)));
    return contour === null ? null : inOctaveOfFrontEnd(contour, analysis);
  });
}

/**
 * High voices are sometimes tracked an octave too low. The front end of the acoustic model is
 * coarser, but holds on to the octave of the whole recording: where the two are an octave apart, it
 * is right.
 */
function inOctaveOfFrontEnd(contour: Contour, { labels, pitch }: Pick<AcousticAnalysis, 'labels' | 'pitch'>): Contour {
  const sure: number[] = [];
  for (let frame = Math.ceil(contour.startMs / labels.frameMs); frame * labels.frameMs < contour.endMs; frame++) {
    if ((pitch[frame * 2 + 1] ?? 0) >= SURE_VOICING) sure.push(12 * pitch[frame * 2]!);
  }
  if (sure.length < MIN_SURE_FRAMES) return contour;
  const apart = median(sure) - mean(contour.points);
  if (Math.abs(Math.abs(apart) - 12) > SAME_PITCH_SEMITONES) return contour;
  const shift = 12 * Math.sign(apart);
  return { ...contour, points: contour.points.map((point) => point + shift) };
}

/**
 * Checks whether a syllable has an onset: aligned to a single frame, it began earlier, and its
 * first frame is that of its rime.
 */
const hasOnset = ({ startFrame, endFrame }: ToneQuestion): boolean => endFrame - startFrame > 1;

/** Finds the loudest voiced part between two frames and its continuations. */
function contourWithin({ pitchHz, levelDb }: PitchCourse, from: number, to: number): Contour | null {
  let loudestDb = -Infinity;
  for (let frame = from; frame < to; frame++) if (pitchHz[frame]! > 0) loudestDb = Math.max(loudestDb, levelDb[frame]!);
  const semitones = new Float64Array(to - from).fill(Number.NaN);
  for (let frame = from; frame < to; frame++) {
    if (pitchHz[frame]! > 0 && levelDb[frame]! > loudestDb - QUIET_DB)
      semitones[frame - from] = 12 * Math.log2(pitchHz[frame]!);
  }
  const stretches = stretchesOf(semitones);
  let best = -1;
  let loudest = 0;
  stretches.forEach(([start, end], index) => {
    let loudness = 0;
    for (let at = start; at < end; at++)
      if (!Number.isNaN(semitones[at]!)) loudness += 10 ** (levelDb[from + at]! / 20);
    if (loudness > loudest) [loudest, best] = [loudness, index];
  });
  if (best < 0) return null;
  let [start, end] = withNeighbors(semitones, stretches, best);
  if (end - start >= MIN_FRAMES_TO_TRIM) [start, end] = [start + BENT_FRAMES_START, end - BENT_FRAMES_END];
  if (end - start < MIN_FRAMES) return null;
  const values = withoutOutliers(withoutGaps(semitones.subarray(start, end)));
  return {
    points: meansOfParts(values),
    startMs: (from + start) * PITCH_FRAME_MS,
    endMs: (from + end) * PITCH_FRAME_MS,
  };
}

/**
 * Joins neighboring parts: a rising voice may break, a low one creak at half its frequency, which
 * is corrected in place. Returns the first frame and the one after the last.
 */
function withNeighbors(
  semitones: Float64Array,
  stretches: readonly (readonly [number, number])[],
  best: number,
): [number, number] {
  let [start, end] = stretches[best]!;
  for (let index = best + 1; index < stretches.length; index++) {
    const [from, to] = stretches[index]!;
    if (to - from < JOINED.minFrames) continue;
    if (from - end > JOINED.frames) break;
    if (!joinOctave(semitones, from, to, semitones[end - 1]! - semitones[from]!, JOINED.after)) break;
    // Frames between the joined parts are not voiced.
    semitones.fill(Number.NaN, end, from);
    end = to;
  }
  for (let index = best - 1; index >= 0; index--) {
    const [from, to] = stretches[index]!;
    if (to - from < JOINED.minFrames) continue;
    if (start - to > JOINED.frames) break;
    if (!joinOctave(semitones, from, to, semitones[start]! - semitones[to - 1]!, JOINED.before)) break;
    semitones.fill(Number.NaN, to, start);
    start = from;
  }
  return [start, end];
}

/**
 * Checks whether a part is close enough, as it is or after an octave shift, which is then applied.
 */
function joinOctave(
  semitones: Float64Array,
  from: number,
  to: number,
  distance: number,
  maxSemitones: number,
): boolean {
  if (Math.abs(distance) <= maxSemitones) return true;
  const shift = 12 * Math.sign(distance);
  if (Math.abs(distance - shift) > JOINED.otherOctave) return false;
  for (let at = from; at < to; at++) semitones[at]! += shift;
  return true;
}

/** Interpolates gaps linearly; the first and last values are present. */
function withoutGaps(values: Float64Array): number[] {
  const filled: number[] = [];
  for (const [at, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const before = filled.length - 1;
    for (let gap = before + 1; gap < at; gap++) {
      filled.push(before < 0 ? value : filled[before]! + ((value - filled[before]!) * (gap - before)) / (at - before));
    }
    filled.push(value);
  }
  return filled;
}

/**
 * Finds voiced stretches without jumps, joined over short gaps, as first frame and frame after the
 * last.
 */
function stretchesOf(semitones: Float64Array): (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  for (let at = 0; at < semitones.length; at++) {
    const semitone = semitones[at]!;
    if (Number.isNaN(semitone)) continue;
    const last = stretches.at(-1);
    const goesOn =
      last !== undefined &&
      at - last[1] <= BRIDGED_FRAMES &&
      Math.abs(semitone - semitones[last[1] - 1]!) <= JUMP_SEMITONES;
    if (goesOn) last[1] = at + 1;
    else stretches.push([at, at + 1]);
  }
  return stretches;
}

function withoutOutliers(values: readonly number[]): number[] {
  if (values.length < MEDIAN_FRAMES) return [...values];
  const half = (MEDIAN_FRAMES - 1) / 2;
  return values.map((_, at) => {
    const near: number[] = [];
    for (let i = at - half; i <= at + half; i++) near.push(values[Math.min(values.length - 1, Math.max(0, i))]!);
    return median(near);
  });
}

function meansOfParts(values: readonly number[]): Float64Array {
  return Float64Array.from({ length: CONTOUR_POINTS }, (_, part) => {
    const from = Math.floor((part * values.length) / CONTOUR_POINTS);
    const to = Math.max(from + 1, Math.ceil(((part + 1) * values.length) / CONTOUR_POINTS));
    let sum = 0;
    for (let at = from; at < to; at++) sum += values[at]!;
    return sum / (to - from);
  });
}
