import { kernelFor, PHASES } from './vocoder/sinc-kernel.ts';

/** Resamples a mono stream without native code, so that it may run in the server process. */
type StreamResampler = {
  /** Returns the samples that this input completes; the filter holds some back. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
};

/**
 * The windowed sinc of `resample` for sound that arrives in parts: the output does not depend on
 * how it is cut. Rates are whole numbers of hertz.
 */
export function createStreamResampler(fromHz: number, toHz: number): StreamResampler {
  if (fromHz === toHz) return { push: (samples) => new Float32Array(samples) };
  const { reach, table } = kernelFor(fromHz, toHz);
  const width = 2 * reach;
  let held = new Float32Array(0);
  /** The input sample at which `held` begins. */
  let heldFrom = 0;
  let nextOutput = 0;

  return {
    push(samples) {
      const input = new Float32Array(held.length + samples.length);
      input.set(held);
      input.set(samples, held.length);
      const end = heldFrom + input.length;
      // An output needs `reach` samples after the one before it.
      const outputEnd = Math.max(nextOutput, Math.ceil(((end - reach) * toHz) / fromHz));
      const output = new Float32Array(outputEnd - nextOutput);
      for (let i = 0; i < output.length; i += 1) {
        const at = (nextOutput + i) * fromHz;
        const whole = Math.floor(at / toHz);
        const row = Math.round(((at - whole * toHz) / toHz) * PHASES) * width;
        const first = whole - reach + 1 - heldFrom;
        let sum = 0;
        for (let j = Math.max(0, -first); j < width; j += 1) sum += input[first + j]! * table[row + j]!;
        output[i] = sum;
      }
      nextOutput = outputEnd;
      const keepFrom = Math.max(heldFrom, Math.floor((nextOutput * fromHz) / toHz) - reach + 1);
      held = input.slice(keepFrom - heldFrom);
      heldFrom = keepFrom;
      return output;
    },
  };
}
