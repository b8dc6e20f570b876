import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import { ALIGNMENT_COSTS, type AlignmentCosts } from './alignment-costs.ts';
import { BLANK, EXTRA_GAP, EXTRA_ONSET, EXTRA_RIME, GAP, STATES, type AlignedUnit } from './alignment-graph.ts';
import { createJunctions } from './alignment-junctions.ts';
import { createStep, emissionsOf } from './alignment-step.ts';

/** A stretch of sound with one syllable in it. */
export type Attempt = {
  /** Number of the unit that it is an attempt at; null for a sound that the text does not have. */
  unit: number | null;
  /** Number of the unit that it is or comes before; the number of units after the last one. */
  place: number;
  /** First frame of its first symbol, frame after its last one. */
  startFrame: number;
  endFrame: number;
  /** Frames in which the rime is heard; empty for a consonant alone. */
  rimeStart: number;
  rimeEnd: number;
};

/** Nobody says more syllables than this in a frame of 30 ms; a text that goes on longer is left out at its end, and costs no memory. */
const MAX_UNITS_PER_FRAME = 0.45;
const SPARE_UNITS = 40;

/**
 * The most probable way through a text: CTC Viterbi alignment (Graves et al. 2006) over a graph in which every unit may be said by any
 * of its readings, said wrongly in its place, left out or said once more, and any syllable may come between. Attempts are in order of
 * time. Tones play no part: what the model takes for a tone tells little about where a syllable is.
 */
export function align(
  posteriors: Posteriors,
  labels: AcousticLabels,
  allUnits: readonly AlignedUnit[],
  costs: AlignmentCosts = ALIGNMENT_COSTS,
): Attempt[] {
  const { frameCount } = posteriors;
  const units = allUnits.slice(0, SPARE_UNITS + Math.ceil(frameCount * MAX_UNITS_PER_FRAME));
  if (frameCount === 0) return [];
  const emissions = emissionsOf(posteriors, labels);
  const width = (units.length + 1) * STATES;
  const cameFrom = new Uint16Array(frameCount * width);
  const junctions = createJunctions(units, costs);
  let scores = new Float64Array(width).fill(-Infinity);
  let next = new Float64Array(width).fill(-Infinity);
  junctions.begin();
  const step = createStep(posteriors, labels, units, costs, emissions, junctions);
  for (let frame = 0; frame < frameCount; frame++) {
    step(frame, scores, next, cameFrom.subarray(frame * width, (frame + 1) * width));
    [scores, next] = [next, scores];
    junctions.update(scores);
  }
  return toAttempts(tracePath(junctions.end(), cameFrom, width, frameCount), units.length, emissions.isNewRime);
}

function tracePath(end: number, cameFrom: Uint16Array, width: number, frameCount: number): Uint16Array {
  const path = new Uint16Array(frameCount);
  let state = end;
  for (let frame = frameCount - 1; frame >= 0; frame--) {
    path[frame] = state;
    state = cameFrom[frame * width + state]!;
  }
  return path;
}

/** How far a state is within its syllable: a later frame with an earlier one begins a syllable anew. */
const ORDER = [0, 1, 2, 1, 1, 1, 2, 2, 1];
const isGap = (kind: number): boolean => kind === GAP || kind === EXTRA_GAP;
const isLater = (kind: number, kindBefore: number): boolean => isGap(kind) || ORDER[kind]! > ORDER[kindBefore]!;

function toAttempts(path: Uint16Array, unitCount: number, isNewRime: Uint8Array): Attempt[] {
  const attempts: Attempt[] = [];
  let current: Attempt | null = null;
  let before = -1;
  path.forEach((state, frame) => {
    const kind = state % STATES;
    const place = (state - kind) / STATES;
    if (kind === BLANK) {
      current = null;
    } else {
      const isExtra = kind === EXTRA_ONSET || kind === EXTRA_RIME || kind === EXTRA_GAP;
      const unit = isExtra || place >= unitCount ? null : place;
      const kindBefore = before % STATES;
      const goesOn =
        current !== null &&
        current.unit === unit &&
        (before - kindBefore) / STATES === place &&
        (kind === kindBefore ? kind !== EXTRA_RIME || isNewRime[frame] === 0 : isLater(kind, kindBefore));
      if (current === null || !goesOn) {
        current = { unit, place, startFrame: frame, endFrame: frame, rimeStart: 0, rimeEnd: 0 };
        attempts.push(current);
      }
      if (!isGap(kind)) current.endFrame = frame + 1;
      if (ORDER[kind] === 2) {
        if (current.rimeEnd === 0) current.rimeStart = frame;
        current.rimeEnd = frame + 1;
      }
    }
    before = state;
  });
  return attempts;
}
