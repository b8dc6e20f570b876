import { LRUCache } from 'lru-cache';

export const PHASES = 256;
/** Zero crossings of the kernel on either side. */
const LOBES = 16;
/** Cutoff as a share of the lower of the two Nyquist frequencies. */
const PASS_SHARE = 0.94;

/** Weights of a band-limited interpolation between two rates; see `kernelFor`. */
type SincKernel = {
  /** Input samples on either side of an output sample. */
  reach: number;
  /**
   * `PHASES + 1` kernels of `2 * reach` weights in sequence; row p, entry j belongs to the input
   * sample `reach − 1 − j` before the output position, rounded down.
   */
  table: Float64Array;
};

/** Computes the kernel, stretched when downsampling to filter out frequencies that would alias. */
export function kernelFor(fromHz: number, toHz: number): SincKernel {
  const scale = Math.min(1, toHz / fromHz);
  const reach = Math.ceil(LOBES / scale);
  return { reach, table: kernelTableFor(PASS_SHARE * scale, reach) };
}

/** Computing a table takes longer than resampling a syllable, and few pairs of rates occur. */
const knownTables = new LRUCache<string, Float64Array>({ max: 8 });

function kernelTableFor(cutoff: number, reach: number): Float64Array {
  const key = `${cutoff} ${reach}`;
  const table = knownTables.get(key) ?? kernelTable(cutoff, reach);
  knownTables.set(key, table);
  return table;
}

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
