import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import { ALIGNMENT_COSTS, type AlignmentCosts } from './alignment-costs.ts';
import { BLANK, EXTRA_GAP, EXTRA_ONSET, EXTRA_RIME, GAP, STATES, type AlignedUnit } from './alignment-graph.ts';
import { createJunctions } from './alignment-junctions.ts';
import { createStep, emissionsOf } from './alignment-step.ts';

/** A stretch of sound with one syllable in it. */
export type Attempt = {
  /** Index of the attempted unit; null for an insertion. */
  unit: number | null;
  /** Index of the attempted or the following unit; the number of units after the last one. */
  place: number;
  /** First frame of the first symbol, and the frame after the last one. */
  startFrame: number;
  endFrame: number;
  /** Frames of the rime; empty for a consonant alone. */
  rimeStart: number;
  rimeEnd: number;
};

/**
 * Highest rate of syllables per millisecond; a longer text is truncated for alignment, to bound
 * memory.
 */
const MAX_UNITS_PER_MS = 0.015;
const SPARE_UNITS = 40;

/**
 * Finds the most probable path through a text: CTC Viterbi alignment (Graves et al. 2006) over a
 * graph in which every unit may have any of its readings, be mispronounced, omitted or repeated,
 * and any syllable may be inserted. Attempts are in order of time. Tones are ignored: the model's
 * tones say little about the position of a syllable.
 */
export function align(
  posteriors: Posteriors,
  labels: AcousticLabels,
  allUnits: readonly AlignedUnit[],
  costs: AlignmentCosts = ALIGNMENT_COSTS,
): Attempt[] {
  const { frameCount } = posteriors;
  const units = allUnits.slice(0, SPARE_UNITS + Math.ceil(frameCount * labels.frameMs * MAX_UNITS_PER_MS));
  if (frameCount === 0) return [];
  const emissions = emissionsOf(posteriors, labels);
  const width = (units.length + 1) * STATES;
  const cameFrom = new Uint16Array(frameCount * width);
  const junctions = createJunctions(units, costs);
  let scores = new Float64Array(width).fill(-Infinity);
  let next = new Float64Array(width).fill(-Infinity);
  junctions.begin();
  const step = createStep(posteriors, labels, units, { costs, emissions, junctions });
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

/** Order of the states within a syllable: a lower one in a later frame begins a new syllable. */
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
