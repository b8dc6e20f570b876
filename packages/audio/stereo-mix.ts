import { createPhaseJudge, type StereoChoice } from './phase-judge.ts';

/** Makes one channel of two, given as their mean and half of their difference. */
export type StereoMix = {
  /** Takes equal numbers of samples; returns those decided, valid until the next call. */
  push(mean: Float32Array, difference: Float32Array): Float32Array;
  /** Returns the samples that are held. Further samples begin anew. */
  flush(): Float32Array;
};

const BLOCK_MS = 10;
/** A change from one to the other fades over this time: a step would be a click. */
const FADE_MS = 5;

/**
 * Mixes two channels by their mean, except where they have the same sound in opposite phase, which
 * cancels in the mean: there by half of their difference. The output lags by `lookaheadMs` and one
 * block of 10 ms at most.
 */
export function createStereoMix(sampleRateHz: number, lookaheadMs: number): StereoMix {
  const blockLength = Math.round((sampleRateHz * BLOCK_MS) / 1_000);
  const fadeLength = Math.round((sampleRateHz * FADE_MS) / 1_000);
  const lookaheadLength = Math.round(lookaheadMs / BLOCK_MS) * blockLength;
  let judge = createPhaseJudge(BLOCK_MS);
  let choice: StereoChoice = 'mean';
  let mean = new Float32Array(0);
  let difference = new Float32Array(0);
  let output = new Float32Array(0);
  /** Held samples are those from `start` to `end`; those before `judged` were measured. */
  let [start, judged, end] = [0, 0, 0];

  const hold = (means: Float32Array, differences: Float32Array): void => {
    if (end + means.length > mean.length) {
      // Twice the length, so that samples are seldom moved.
      const length = 2 * Math.max(lookaheadLength, end - start + means.length);
      mean = moved(mean.subarray(start, end), mean, length);
      difference = moved(difference.subarray(start, end), difference, length);
      if (output.length < length) output = new Float32Array(length);
      [start, judged, end] = [0, judged - start, end - start];
    }
    mean.set(means, end);
    difference.set(differences, end);
    end += means.length;
  };
  const measure = (length: number): void => {
    judge.measure(mean, difference, judged, length);
    judged += length;
  };
  /** Writes the first held block to the output, with a fade where the choice changes. */
  const write = (at: number, length: number): void => {
    const before = choice;
    choice = judge.choose();
    const source = choice === 'mean' ? mean : difference;
    const fadedSource = before === 'mean' ? mean : difference;
    for (let i = 0; i < length; i += 1) output[at + i] = source[start + i]!;
    const fadedLength = before === choice ? 0 : Math.min(fadeLength, length);
    for (let i = 0; i < fadedLength; i += 1)
      output[at + i]! += (1 - i / fadedLength) * (fadedSource[start + i]! - source[start + i]!);
    start += length;
  };

  return {
    push(means, differences) {
      hold(means, differences);
      let written = 0;
      for (let blocks = Math.floor((end - judged) / blockLength); blocks > 0; blocks -= 1) {
        measure(blockLength);
        if (judged - start <= lookaheadLength) continue;
        write(written, blockLength);
        written += blockLength;
      }
      return output.subarray(0, written);
    },
    flush() {
      const length = end - start;
      if (end > judged) measure(end - judged);
      judge.end();
      for (let at = 0; at < length; at += blockLength) write(at, Math.min(blockLength, length - at));
      judge = createPhaseJudge(BLOCK_MS);
      return output.subarray(0, length);
    },
  };
}

/** Returns memory of at least `length` samples that begins with `samples`, a part of `memory`. */
function moved(samples: Float32Array, memory: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const target = memory.length < length ? new Float32Array(length) : memory;
  target.set(samples);
  return target;
}
