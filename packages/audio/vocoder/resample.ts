import { kernelFor, PHASES } from './sinc-kernel.ts';

/**
 * Resamples a whole mono array by windowed-sinc interpolation (Smith's band-limited interpolation:
 * a table of phases, linear between them); flat up to 0.85 of the lower Nyquist frequency. Rates
 * need not be whole numbers.
 */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return samples;
  const step = fromHz / toHz;
  const kernel = kernelFor(fromHz, toHz);
  const output = new Float32Array(Math.floor((samples.length * toHz) / fromHz));
  for (let i = 0; i < output.length; i += 1) {
    const at = i * step;
    const inputSample = Math.floor(at);
    output[i] = interpolate(samples, inputSample, (at - inputSample) * PHASES, kernel);
  }
  return output;
}

/** Resamples a mono stream without native code, so that it may run in the server process. */
type StreamResampler = {
  /** Returns the samples that this input completes; the filter holds some back. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
};

/**
 * Applies the filter of `resample` to sound that arrives in parts: the output does not depend on
 * how it is cut. Rates are whole numbers of hertz. The nearest phase of the table is taken, which
 * is exact between rates with a small ratio, and faster for all.
 */
export function createStreamResampler(fromHz: number, toHz: number): StreamResampler {
  if (fromHz === toHz) return { push: (samples) => new Float32Array(samples) };
  const kernel = kernelFor(fromHz, toHz);
  const { reach } = kernel;
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
      // An output needs `reach` samples after the one before it.
      const outputEnd = Math.max(nextOutput, Math.ceil(((end - reach) * toHz) / fromHz));
      const output = new Float32Array(outputEnd - nextOutput);
      for (let i = 0; i < output.length; i += 1) {
        const at = (nextOutput + i) * fromHz;
        const inputSample = Math.floor(at / toHz);
        const phase = Math.round(((at - inputSample * toHz) / toHz) * PHASES);
        output[i] = interpolate(input, inputSample - waitingFrom, phase, kernel);
      }
      nextOutput = outputEnd;
      const keepFrom = Math.max(waitingFrom, Math.floor((nextOutput * fromHz) / toHz) - reach + 1);
      waiting = input.slice(keepFrom - waitingFrom);
      waitingFrom = keepFrom;
      return output;
    },
  };
}

/** Returns the value between an input sample and the next one; `phase` is 0 to `PHASES`. */
function interpolate(
  samples: Float32Array,
  inputSample: number,
  phase: number,
  { reach, table }: ReturnType<typeof kernelFor>,
): number {
  const width = 2 * reach;
  const lower = Math.floor(phase);
  const blend = phase - lower;
  const first = inputSample - reach + 1;
  const from = Math.max(0, -first);
  const to = Math.min(width, samples.length - first);
  const row = lower * width;
  let sum = 0;
  // Between rates with a whole ratio, most samples fall on a phase of the table.
  if (blend === 0) for (let j = from; j < to; j += 1) sum += samples[first + j]! * table[row + j]!;
  else
    for (let j = from; j < to; j += 1) {
      const weight = table[row + j]!;
      sum += samples[first + j]! * (weight + (table[row + width + j]! - weight) * blend);
    }
  return sum;
}
