import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { AcousticModel } from './acoustic-model.ts';
import { symbolCount } from './decoder/labels.ts';
import type { Posteriors } from './decoder/types.ts';

/** Posteriors of a stretch of speech that grows. */
type GrowingPosteriors = {
  /**
   * Returns the posteriors of all frames from `fromFrame` on; `samples` is the whole stretch so
   * far.
   */
  update(samples: Float32Array, fromFrame: number): Promise<Posteriors>;
};

/**
 * The network sees about 1.1 s on either side of a frame. Frames with this much sound after them
 * are final: more would change them little, and each second costs as much as a second of new sound.
 */
const LOOKAHEAD_MS = 600;
/**
 * Sound before the first computed frame, in milliseconds: its loudness and pitch stand for those of
 * the whole stretch, by which the network normalizes its input.
 */
const CONTEXT_MS = 1_200;
const MAX_FRAMES = 800;

/**
 * Runs the acoustic model on the end of the stretch only, with context before it. The cost of an
 * update does not grow with the stretch.
 */
export function createGrowingPosteriors({ labels, compute }: AcousticModel): GrowingPosteriors {
  const frameSamples = (labels.frameMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const lookahead = Math.ceil(LOOKAHEAD_MS / labels.frameMs);
  const context = Math.ceil(CONTEXT_MS / labels.frameMs);
  const symbols = createRows(symbolCount(labels));
  const tones = createRows(labels.tones);
  /** Number of frames that are not computed again. */
  let keptFrames = 0;
  return {
    async update(samples, fromFrame) {
      const firstFrame = Math.max(0, keptFrames - context);
      const { frameCount, symbolLogp, toneLogp } = await compute(samples.subarray(firstFrame * frameSamples));
      const endFrame = firstFrame + frameCount;
      symbols.replaceFrom(keptFrames, symbolLogp, keptFrames - firstFrame);
      tones.replaceFrom(keptFrames, toneLogp, keptFrames - firstFrame);
      keptFrames = Math.max(keptFrames, endFrame - lookahead);
      return {
        frameCount: endFrame - fromFrame,
        symbolLogp: symbols.slice(fromFrame, endFrame),
        toneLogp: tones.slice(fromFrame, endFrame),
      };
    },
  };
}

/** Holds rows of `width` values in memory that grows. */
function createRows(width: number) {
  let values = new Float32Array(0);
  return {
    /** Writes `source` from its row `sourceRow` on to the rows from `row` on. */
    replaceFrom(row: number, source: Float32Array, sourceRow: number): void {
      const written = source.subarray(sourceRow * width);
      const length = row * width + written.length;
      if (length > values.length) {
        const longer = new Float32Array(Math.max(length, Math.min(2 * values.length, MAX_FRAMES * width)));
        longer.set(values);
        values = longer;
      }
      values.set(written, row * width);
    },
    slice: (fromRow: number, toRow: number) => values.slice(fromRow * width, toRow * width),
  };
}
