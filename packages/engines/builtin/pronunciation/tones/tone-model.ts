import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { CONTOUR_POINTS } from './measure-contour.ts';

const contour = z.array(z.number()).length(CONTOUR_POINTS);

const shape = z.object({
  tone: z.int().min(1).max(6),
  /** The rimes that have this shape: those that end in -p, -t or -k, the others, or all. */
  rimes: z.enum(['checked', 'open', 'all']),
  /** The place that has this shape: alone or between pauses, or next to a neighbor. */
  place: z.enum(['alone', 'first', 'middle', 'last']),
  /** Tones of the syllable before, to which the shape is limited: a neutral tone depends on it. */
  after: z.array(z.int().min(1).max(6)).min(1).optional(),
  /** Frequency of this shape of the tone. */
  share: z.number().positive().max(1),
  /** Mean, semitones around the speaker's register. */
  mean: contour,
  /** Variation of syllables and speakers, semitones². */
  covariance: z.array(contour).length(CONTOUR_POINTS),
});

const toneModelFile = z.object({
  version: z.string(),
  tones: z.int().min(4).max(6),
  /** Distribution of the registers of speakers: a mixture of Gaussians, semitones above 1 Hz. */
  registers: z
    .array(z.object({ share: z.number().positive(), mean: z.number(), deviation: z.number().positive() }))
    .min(1),
  /** Distribution of the spans of speakers, relative to the model's. */
  spans: z.array(z.object({ share: z.number().positive(), factor: z.number().positive() })).min(1),
  shapes: z.array(shape).min(1),
  /**
   * Degrees of freedom of the Student distribution about a shape: mismeasured contours and
   * atypical speakers do occur.
   */
  freedom: z.number().positive(),
  /** Weight of the acoustic model's log-posteriors beside the contour. */
  modelWeight: z.number().nonnegative(),
  /**
   * Log-probability that is added to the acoustic model's neutral tone where one is expected. Its
   * training data have few of them, and neutral tones are rare elsewhere.
   */
  expectedNeutralLogp: z.number().nonnegative().optional(),
  /**
   * Weight of the contour's log-likelihoods, because its points are not as many observations as
   * they seem.
   */
  contourWeight: z.number().positive(),
  /**
   * Changes of contours in connected speech that the shapes do not include: semitones by which
   * pitch sinks from one syllable to the next; share of the distance from the end of the last
   * syllable at the start of the next one; length of a contour, in milliseconds, from which a tone
   * makes its whole movement. Null when the model includes no such changes.
   */
  connected: z
    .object({
      declination: z.number().nonnegative(),
      carryOver: z.number().min(0).lt(1),
      fullMovementMs: z.number().nonnegative(),
    })
    .nullable(),
  /** Probability of an expected tone when a syllable is evidence for the register. */
  expectedShare: z.number().gt(0).lt(1),
});

export type ToneModelFile = z.infer<typeof toneModelFile>;
export type TonePosition = ToneModelFile['shapes'][number]['place'];

/** A shape, prepared for computing densities. */
export type ToneShape = {
  tone: number;
  share: number;
  mean: Float64Array;
  /** Mean of `mean`, in semitones. */
  level: number;
  /** Inverse of the covariance, row-major. */
  precision: Float64Array;
  /**
   * Half the logarithm of the determinant of the precision: the only constant in which shapes
   * differ.
   */
  halfLogDeterminant: number;
};

export type ToneModel = Omit<ToneModelFile, 'shapes'> & {
  /**
   * Returns the shapes of a syllable; `before` has the tones that are expected of the one before
   * it.
   */
  shapesOf(place: TonePosition, isChecked: boolean, before?: readonly number[]): readonly ToneShape[];
};

/**
 * Reads tones.json of a language's models. Throws `engine_unavailable` when it is missing or
 * damaged.
 */
export function readToneModel(folder: string): ToneModel {
  try {
    return prepareToneModel(toneModelFile.parse(JSON.parse(readFileSync(join(folder, 'tones.json'), 'utf8'))));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The tone model is missing or damaged.', { cause });
  }
}

/** Prepares a tone model, read or just fitted, for use. */
export function prepareToneModel(file: ToneModelFile): ToneModel {
  const prepared = file.shapes.map((fileShape) => ({ ...fileShape, ready: prepareShape(fileShape) }));
  const places = new Map<string, ToneShape[]>();
  return {
    ...file,
    shapesOf(place, isChecked, before = []) {
      const key = `${place} ${isChecked} ${before.join(' ')}`;
      let shapesHere = places.get(key);
      if (shapesHere === undefined) {
        const fits = ({ rimes, after }: ToneModelFile['shapes'][number]): boolean =>
          (rimes === 'all' || (rimes === 'checked') === isChecked) &&
          (after === undefined || before.length === 0 || after.some((tone) => before.includes(tone)));
        const fitting = prepared.filter((candidate) => candidate.place === place && fits(candidate));
        const chosen =
          fitting.length > 0 ? fitting : prepared.filter((candidate) => candidate.place === 'alone' && fits(candidate));
        shapesHere = withShares(chosen.map(({ ready }) => ready));
        places.set(key, shapesHere);
      }
      return shapesHere;
    },
  };
}

/** Normalizes the shares of each tone's shapes to those that are possible here. */
function withShares(shapes: readonly ToneShape[]): ToneShape[] {
  const totals = new Map<number, number>();
  for (const { tone, share } of shapes) totals.set(tone, (totals.get(tone) ?? 0) + share);
  return shapes.map((shape) => ({ ...shape, share: shape.share / totals.get(shape.tone)! }));
}

function prepareShape({ tone, share, mean, covariance }: ToneModelFile['shapes'][number]): ToneShape {
  const { inverse, logDeterminant } = invert(covariance);
  return {
    tone,
    share,
    mean: Float64Array.from(mean),
    level: mean.reduce((total, value) => total + value, 0) / CONTOUR_POINTS,
    precision: inverse,
    halfLogDeterminant: -logDeterminant / 2,
  };
}

/**
 * Inverts a symmetric positive definite matrix by elimination. Throws `engine_unavailable` for any
 * other.
 */
function invert(matrix: readonly (readonly number[])[]): { inverse: Float64Array; logDeterminant: number } {
  const size = matrix.length;
  const reduced = matrix.map((row) => Float64Array.from(row));
  const right = matrix.map((_, row) => Float64Array.from({ length: size }, (__, column) => Number(row === column)));
  let logDeterminant = 0;
  for (let pivot = 0; pivot < size; pivot++) {
    const value = reduced[pivot]![pivot]!;
    if (!(value > 0)) throw new AppError('engine_unavailable', 'The tone model has an invalid covariance.');
    logDeterminant += Math.log(value);
    for (const rows of [reduced, right]) for (let k = 0; k < size; k++) rows[pivot]![k]! /= value;
    for (let row = 0; row < size; row++) {
      const factor = reduced[row]![pivot]!;
      if (row === pivot || factor === 0) continue;
      for (const rows of [reduced, right]) for (let k = 0; k < size; k++) rows[row]![k]! -= factor * rows[pivot]![k]!;
    }
  }
  return { inverse: Float64Array.from(right.flatMap((row) => [...row])), logDeterminant };
}
