import { createRealFft } from '@jyutsing/numeric/real-fft';

export const RATE_HZ = 24_000;
export const MS = RATE_HZ / 1_000;

type Biquad = readonly [b0: number, b1: number, b2: number, a1: number, a2: number];

/** Butterworth filter of order 2 or 4, run forwards and backwards so that nothing is delayed. */
export function filterBothWays(x: Float64Array, kind: 'low' | 'high', hz: number, order: 2 | 4 = 2): Float64Array {
  const sections = (order === 2 ? [Math.SQRT1_2] : [0.5412, 1.3066]).map((q) => biquad(kind, hz, q));
  let y = x;
  for (let way = 0; way < 2; way += 1) {
    for (const section of sections) y = runBiquad(y, section);
    y = y.toReversed();
  }
  return y;
}

function biquad(kind: 'low' | 'high', hz: number, q: number): Biquad {
  const w = (2 * Math.PI * hz) / RATE_HZ;
  const cos = Math.cos(w);
  const alpha = Math.sin(w) / (2 * q);
  const edge = kind === 'low' ? (1 - cos) / 2 : (1 + cos) / 2;
  const middle = kind === 'low' ? 1 - cos : -(1 + cos);
  const a0 = 1 + alpha;
  return [edge / a0, middle / a0, edge / a0, (-2 * cos) / a0, (1 - alpha) / a0];
}

function runBiquad(x: Float64Array, [b0, b1, b2, a1, a2]: Biquad): Float64Array {
  const y = new Float64Array(x.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    const now = b0 * x[i]! + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x[i]!, y1, now];
    y[i] = now;
  }
  return y;
}

/** Mean of the squares in a window of `size` samples around each sample. */
export function powerAround(x: Float64Array, size: number): Float64Array {
  const total = new Float64Array(x.length + 1);
  for (let i = 0; i < x.length; i += 1) total[i + 1] = total[i]! + x[i]! ** 2;
  return Float64Array.from(x, (_, i) => {
    const from = Math.max(0, i - (size >> 1));
    const to = Math.min(x.length, i + size - (size >> 1));
    return (total[to]! - total[from]!) / size;
  });
}

const FFT = createRealFft(1_024);
const WINDOW = Math.round(20 * MS);
const HANN = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (WINDOW - 1)));
/** Bins below 6 kHz. */
const LOW_BINS = 256;
const CEPSTRA = 20;
/** The level counts less than the shape. */
const LEVEL_WEIGHT = 0.4;
const COSINES = Float64Array.from({ length: CEPSTRA * LOW_BINS }, (_, i) => {
  const n = Math.floor(i / LOW_BINS);
  return ((n === 0 ? LEVEL_WEIGHT : 1) * Math.cos((Math.PI * n * ((i % LOW_BINS) + 0.5)) / LOW_BINS)) / LOW_BINS;
});

/** Picks the position of `at` whose low cepstra `reach` before and after differ most. */
export function steepestChange(x: Float64Array, at: readonly number[], reach: number): number {
  let best = at[0]!;
  let most = -1;
  for (const t of at) {
    const before = cepstraAt(x, t - reach);
    const after = cepstraAt(x, t + reach);
    const distance = before.reduce((sum, value, i) => sum + (value - after[i]!) ** 2, 0);
    if (distance > most) [best, most] = [t, distance];
  }
  return Math.round(best);
}

const signal = new Float64Array(FFT.size);
const re = new Float64Array(FFT.size / 2 + 1);
const im = new Float64Array(FFT.size / 2 + 1);

function cepstraAt(x: Float64Array, middle: number): Float64Array {
  const from = Math.round(middle) - (WINDOW >> 1);
  signal.fill(0);
  for (let i = 0; i < WINDOW; i += 1) signal[i] = (x[from + i] ?? 0) * HANN[i]!;
  FFT.forward(signal, re, im);
  const logs = Float64Array.from({ length: LOW_BINS }, (_, k) => Math.log(Math.hypot(re[k]!, im[k]!) + 1e-4));
  const cepstra = new Float64Array(CEPSTRA);
  for (let n = 0; n < CEPSTRA; n += 1) {
    let sum = 0;
    for (let k = 0; k < LOW_BINS; k += 1) sum += logs[k]! * COSINES[n * LOW_BINS + k]!;
    cepstra[n] = sum;
  }
  return cepstra;
}
