import { kernelFor, PHASES } from './sinc-kernel.ts';

/**
 * Resamples a whole mono array by windowed-sinc interpolation (Smith's band-limited interpolation:
 * a table of phases, linear between them); flat up to 0.85 of the lower Nyquist frequency. Rates
 * need not be whole numbers.
 */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return samples;
  const step = fromHz / toHz;
  const { reach, table } = kernelFor(fromHz, toHz);
  const width = 2 * reach;
  const output = new Float32Array(Math.floor((samples.length * toHz) / fromHz));
  for (let i = 0; i < output.length; i += 1) {
    const at = i * step;
    const inputSample = Math.floor(at);
    const phase = (at - inputSample) * PHASES;
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
        const kernel = table[row + j]!;
        sum += samples[first + j]! * (kernel + (table[row + width + j]! - kernel) * blend);
      }
    output[i] = sum;
  }
  return output;
}
