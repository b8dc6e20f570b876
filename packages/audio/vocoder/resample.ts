import { LRUCache } from 'lru-cache';

const PHASES = 256;
/** Zero crossings of the kernel on either side. */
const LOBES = 16;
/** Cutoff as a share of the lower of the two Nyquist frequencies. */
const PASS_SHARE = 0.94;

/**
 * Resamples a whole mono array by windowed-sinc interpolation (Smith's band-limited interpolation:
 * a table of phases, linear between them); flat up to 0.85 of the lower Nyquist frequency. Rates
 * need not be whole numbers.
 */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return samples;
  const step = fromHz / toHz;
  // Stretch the kernel when downsampling, to filter out frequencies that would alias.
  const scale = Math.min(1, toHz / fromHz);
  const cutoff = PASS_SHARE * scale;
  const reach = Math.ceil(LOBES / scale);
  const table = kernelTableFor(cutoff, reach);
  const width = 2 * reach;
  const output = new Float32Array(Math.floor((samples.length * toHz) / fromHz));
  for (let i = 0; i < output.length; i += 1) {
    const at = i * step;
    const whole = Math.floor(at);
    const phase = (at - whole) * PHASES;
    const lower = Math.floor(phase);
    const blend = phase - lower;
    const first = whole - reach + 1;
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

/** Computing a table takes longer than resampling a syllable, and few pairs of rates occur. */
const knownTables = new LRUCache<string, Float64Array>({ max: 8 });

function kernelTableFor(cutoff: number, reach: number): Float64Array {
  const key = `${cutoff} ${reach}`;
  const table = knownTables.get(key) ?? kernelTable(cutoff, reach);
  knownTables.set(key, table);
  return table;
}

/**
 * `PHASES + 1` kernels in sequence; row p, entry j belongs to the input sample at `whole − reach +
 * 1 + j`.
 */
function kernelTable(cutoff: number, reach: number): Float64Array {
  const width = 2 * reach;
  const table = new Float64Array((PHASES + 1) * width);
  for (let phase = 0; phase <= PHASES; phase += 1) {
    for (let j = 0; j < width; j += 1) {
      const distance = j - reach + 1 - phase / PHASES;
      const x = Math.PI * cutoff * distance;
      const sinc = Math.abs(x) < 1e-9 ? 1 : Math.sin(x) / x;
      const hann = Math.abs(distance) >= reach ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach);
      table[phase * width + j] = cutoff * sinc * hann;
    }
  }
  return table;
}
