import { kernelFor, PHASES } from './vocoder/sinc-kernel.ts';

/** Resamples a mono stream without native code, so that it may run in the server process. */
type StreamResampler = {
  /** Returns the samples that this input completes; the filter holds some back. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
};

/**
 * Applies the windowed sinc of `resample` to sound that arrives in parts: the output does not
 * depend on how it is cut. Rates are whole numbers of hertz.
 */
export function createStreamResampler(fromHz: number, toHz: number): StreamResampler {
  if (fromHz === toHz) return { push: (samples) => new Float32Array(samples) };
  const { reach, table } = kernelFor(fromHz, toHz);
  const width = 2 * reach;
  let waiting = new Float32Array(0);
  /** The input sample at which `waiting` begins. */
  let waitingFrom = 0;
  let nextOutput = 0;

  return {
    push(samples) {
      const input = new Float32Array(waiting.length + samples.length);
      input.set(waiting);
      input.set(samples, waiting.length);
      const end = waitingFrom + input.length;
      // An output sample needs `reach` input samples after the one before it.
      const outputEnd = Math.max(nextOutput, Math.ceil(((end - reach) * toHz) / fromHz));
      const output = new Float32Array(outputEnd - nextOutput);
      for (let i = 0; i < output.length; i += 1) {
        const at = (nextOutput + i) * fromHz;
        const inputSample = Math.floor(at / toHz);
        const row = Math.round(((at - inputSample * toHz) / toHz) * PHASES) * width;
        const first = inputSample - reach + 1 - waitingFrom;
        let sum = 0;
        for (let j = Math.max(0, -first); j < width; j += 1) sum += input[first + j]! * table[row + j]!;
        output[i] = sum;
      }
      nextOutput = outputEnd;
      const keepFrom = Math.max(waitingFrom, Math.floor((nextOutput * fromHz) / toHz) - reach + 1);
      waiting = input.slice(keepFrom - waitingFrom);
      waitingFrom = keepFrom;
      return output;
    },
  };
}
