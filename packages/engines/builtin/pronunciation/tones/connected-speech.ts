import { CONTOUR_POINTS, type Contour } from './measure-contour.ts';
import type { ToneModelFile } from './tone-model.ts';

/** How neighbors and the length of a syllable change its contour. */
export type ConnectedSpeech = NonNullable<ToneModelFile['connected']>;

/**
 * The evidence of a contour about its tone: `points[k]` is distributed around `weights[k]` times
 * (register + tone at this point), where the tone makes the share `movement` of its movement.
 */
export type ToneTrace = { points: Float64Array; weights: Float64Array; movement: number };

/** Length of a pause, in milliseconds, after which a syllable is spoken as if alone. */
const PAUSE_MS = 250;

/** Returns true if a syllable follows another one without a pause. */
export const follows = (before: Contour | null, after: Contour | null): boolean =>
  before !== null && after !== null && after.startMs - before.endMs < PAUSE_MS;

/** Returns the contours of syllables that are spoken carefully, each as if alone. */
export const carefulTraces = (contours: readonly (Contour | null)[]): (ToneTrace | null)[] =>
  contours.map((contour) => contour && { points: contour.points, weights: EVEN, movement: 1 });

const EVEN = new Float64Array(CONTOUR_POINTS).fill(1);

/**
 * Returns the contours of fluent speech. Pitch sinks from syllable to syllable (declination); each
 * syllable starts where the last one ended and approaches its own target from there (Y. Xu and Q.
 * E. Wang 2001): of the seven points, the first keeps `carryOver` of the distance between both, the
 * following ones linearly less, down to none at the last. Short syllables move less.
 */
export function fluentTraces(
  contours: readonly (Contour | null)[],
  { declination, carryOver, fullMovementMs }: ConnectedSpeech,
): (ToneTrace | null)[] {
  let before: Contour | null = null;
  let syllable = 0;
  return contours.map((contour) => {
    if (contour === null) return null;
    const sunk = declination * syllable++;
    const start = follows(before, contour) ? before!.points[CONTOUR_POINTS - 1]! : null;
    before = contour;
    const weights = EVEN.map((_, at) => (start === null ? 1 : 1 - carryOver * (1 - at / (CONTOUR_POINTS - 1))));
    return {
      points: contour.points.map((point, at) => point - (1 - weights[at]!) * (start ?? 0) + weights[at]! * sunk),
      weights,
      movement: Math.min(1, (contour.endMs - contour.startMs) / fullMovementMs),
    };
  });
}
