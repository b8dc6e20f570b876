import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import { addLogs } from './add-logs.ts';

/**
 * Fit of each pair of onset and rime to a range of frames: natural logarithms of CTC probabilities,
 * one row per onset (the zero onset first), `columns` values each (one per rime).
 */
export type SegmentEvidence = { rows: number; columns: number; logp: Float64Array };

/**
 * Computes the evidence of frames `startFrame` to `endFrame` (exclusive); the next call overwrites
 * the result.
 */
export type SegmentScorer = (posteriors: Posteriors, startFrame: number, endFrame: number) => SegmentEvidence;

/**
 * Creates a scorer. It runs the CTC forward recursion (Graves et al. 2006) over blank* [onset+
 * blank*] rime+ blank* for all pairs at once, sharing the onset part between rimes. The next call
 * overwrites the result.
 */
export function createSegmentScorer(labels: AcousticLabels): SegmentScorer {
  const width = symbolCount(labels);
  const rows = labels.onsets.length + 1;
  const columns = labels.rimes.length;
  const inOnset = new Float64Array(rows);
  const between = new Float64Array(rows);
  const enter = new Float64Array(rows);
  const inRime = new Float64Array(rows * columns);
  const after = new Float64Array(rows * columns);
  const logp = new Float64Array(rows * columns);
  const p = new Float64Array(width);

  /** Processes one frame, scaled by its most probable symbol to prevent underflow. */
  const step = (symbolLogp: Float32Array, row: number, before: number): number => {
    let top = -Infinity;
    for (let column = 0; column < width; column++) top = Math.max(top, symbolLogp[row + column]!);
    for (let column = 0; column < width; column++) p[column] = Math.exp(symbolLogp[row + column]! - top);
    const blank = p[0]!;
    enter[0] = before;
    for (let onset = 1; onset < rows; onset++) {
      enter[onset] = inOnset[onset]! + between[onset]!;
      between[onset] = enter[onset]! * blank;
      inOnset[onset] = (inOnset[onset]! + before) * p[onset]!;
    }
    for (let onset = 0, at = 0; onset < rows; onset++) {
      const entering = enter[onset]!;
      for (let rime = 0; rime < columns; rime++, at++) {
        after[at] = (after[at]! + inRime[at]!) * blank;
        inRime[at] = (inRime[at]! + entering) * p[rows + rime]!;
      }
    }
    return top;
  };

  return ({ symbolLogp }, startFrame, endFrame) => {
    inOnset.fill(0);
    between.fill(0);
    inRime.fill(0);
    after.fill(0);
    let before = 1;
    let scaleLogp = 0;
    for (let frame = startFrame; frame < endFrame; frame++) {
      scaleLogp += step(symbolLogp, frame * width, before);
      before *= p[0]!;
    }
    for (let at = 0; at < logp.length; at++) {
      logp[at] = scaleLogp + Math.log(Math.max(inRime[at]! + after[at]!, Number.MIN_VALUE));
    }
    return { rows, columns, logp };
  };
}

/** Adds the second of two columns for the same sound to the first and clears it. */
export function joinDoubles(
  { rows, columns, logp }: SegmentEvidence,
  doubles: readonly (readonly [number, number])[],
): void {
  for (const [column, doubleColumn] of doubles) {
    for (let at = 0; at < rows * columns; at += columns) {
      logp[at + column] = addLogs(logp[at + column]!, logp[at + doubleColumn]!);
      logp[at + doubleColumn] = -Infinity;
    }
  }
}
