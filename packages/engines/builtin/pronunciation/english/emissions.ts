import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';

/**
 * Posteriors of a recording as alignment and judgement read them: row-major, a row a frame, column
 * 0 the blank.
 */
export type Emissions = {
  frameCount: number;
  width: number;
  /** Probabilities, at least `FLOOR` each. */
  p: Float64Array;
  logp: Float64Array;
  /** The likeliest phone (never the blank) of every frame. */
  bestPhone: Uint8Array;
};

/** Floor of the probabilities: smaller ones are noise. */
const FLOOR = 4e-4;

/**
 * Reads the posteriors once for all later steps. Values that are no numbers count as impossible.
 */
export function readEmissions(posteriors: Posteriors, labels: AcousticLabels): Emissions {
  const width = symbolCount(labels);
  const { frameCount, symbolLogp } = posteriors;
  const p = new Float64Array(frameCount * width);
  const logp = new Float64Array(frameCount * width);
  const bestPhone = new Uint8Array(frameCount);
  for (let frame = 0; frame < frameCount; frame++) {
    let best = 1;
    for (let column = 0; column < width; column++) {
      const at = frame * width + column;
      const value = Math.exp(symbolLogp[at] ?? -Infinity);
      const floored = value > FLOOR ? Math.min(value, 1) : FLOOR;
      p[at] = floored;
      logp[at] = Math.log(floored);
      if (column > 0 && floored > (p[frame * width + best] ?? 0)) best = column;
    }
    bestPhone[frame] = best;
  }
  return { frameCount, width, p, logp, bestPhone };
}
