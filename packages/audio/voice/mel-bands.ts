import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { ENVELOPE_BINS, HZ_PER_BIN, NOISE_BAND_EDGES_HZ, NOISE_BANDS } from '#audio/vocoder/speech-frames.ts';

const toMel = (hz: number) => 2_595 * Math.log10(1 + hz / 700);
const toHz = (mel: number) => 700 * (10 ** (mel / 2_595) - 1);

const lowMel = toMel(VOICE_BANDS.lowHz);
const bandMels = (toMel(VOICE_BANDS.highHz) - lowMel) / VOICE_BANDS.count;

/** Center frequency of each band of a profile, Hz. */
export const bandCentersHz: readonly number[] = Array.from({ length: VOICE_BANDS.count }, (_, band) =>
  toHz(lowMel + (band + 0.5) * bandMels),
);

/**
 * First bin and bin weights of each band: triangles that reach to the neighboring centers, sum 1.
 */
const bandWeights = bandCentersHz.map((_, band) => {
  const center = lowMel + (band + 0.5) * bandMels;
  const first = Math.max(1, Math.ceil(toHz(center - bandMels) / HZ_PER_BIN));
  const last = Math.min(ENVELOPE_BINS - 1, Math.max(first, Math.floor(toHz(center + bandMels) / HZ_PER_BIN)));
  const weights = Float64Array.from({ length: last - first + 1 }, (_, i) =>
    Math.max(0.05, 1 - Math.abs(toMel((first + i) * HZ_PER_BIN) - center) / bandMels),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { first, weights: weights.map((weight) => weight / sum) };
});

/**
 * Writes the level of each mel band (dB, mean over its bins) of one envelope into `output` from
 * `at` on.
 */
export function toBands(envelopeDb: Float32Array, offset: number, output: Float32Array | Float64Array, at = 0): void {
  for (let band = 0; band < bandWeights.length; band += 1) {
    const { first, weights } = bandWeights[band]!;
    let level = 0;
    for (let i = 0; i < weights.length; i += 1) level += weights[i]! * envelopeDb[offset + first + i]!;
    output[at + band] = level;
  }
}

/** For each bin, the band below it and the position between that and the next one; flat outside. */
const lowerBands = new Uint8Array(ENVELOPE_BINS);
const blends = new Float32Array(ENVELOPE_BINS);
for (let k = 0; k < ENVELOPE_BINS; k += 1) {
  const position = (toMel(k * HZ_PER_BIN) - lowMel) / bandMels - 0.5;
  const clamped = Math.min(VOICE_BANDS.count - 1, Math.max(0, position));
  lowerBands[k] = Math.min(VOICE_BANDS.count - 2, Math.floor(clamped));
  blends[k] = clamped - lowerBands[k]!;
}

/** Adds per-band corrections to an envelope, with linear interpolation. */
export function addBands(envelopeDb: Float32Array, offset: number, bandsDb: Float32Array | Float64Array): void {
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    const band = lowerBands[k]!;
    const lower = bandsDb[band]!;
    envelopeDb[offset + k] = envelopeDb[offset + k]! + lower + (bandsDb[band + 1]! - lower) * blends[k]!;
  }
}

/** Returns the levels of bands at every bin of an envelope. */
export function toBins(bandsDb: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: ENVELOPE_BINS }, (_, k) => {
    const lower = bandsDb[lowerBands[k]!]!;
    return lower + (bandsDb[lowerBands[k]! + 1]! - lower) * blends[k]!;
  });
}

const noiseMiddlesHz = Array.from(
  { length: NOISE_BANDS },
  (_, band) => (NOISE_BAND_EDGES_HZ[band]! + NOISE_BAND_EDGES_HZ[band + 1]!) / 2,
);

/** Converts shares of the vocoder's noise bands to the bands of a profile. */
export function noiseBandsToMel(shares: ArrayLike<number>): number[] {
  return bandCentersHz.map((hz) => interpolated(noiseMiddlesHz, shares, hz));
}

/** Converts shares in the bands of a profile to the vocoder's noise bands. */
export function melToNoiseBands(shares: ArrayLike<number>): number[] {
  return noiseMiddlesHz.map((hz) => interpolated(bandCentersHz, shares, hz));
}

/** Interpolates linearly between points, flat outside. */
function interpolated(places: readonly number[], values: ArrayLike<number>, at: number): number {
  const next = places.findIndex((place) => place > at);
  if (next === 0) return values[0]!;
  if (next < 0) return values[places.length - 1]!;
  const share = (at - places[next - 1]!) / (places[next]! - places[next - 1]!);
  return values[next - 1]! + share * (values[next]! - values[next - 1]!);
}

/**
 * Returns the bands of a mean spectrum after its frequencies were moved: bin k shows bin `warp[k]`
 * of the source.
 */
export function bandsOfWarped(bandsDb: readonly number[], warp: Float64Array): Float64Array {
  return Float64Array.from(bandWeights, ({ first, weights }) => {
    let level = 0;
    for (const [i, weight] of weights.entries()) level += weight * levelAt(bandsDb, warp[first + i]! * HZ_PER_BIN);
    return level;
  });
}

function levelAt(bandsDb: readonly number[], hz: number): number {
  const position = (toMel(hz) - lowMel) / bandMels - 0.5;
  const clamped = Math.min(VOICE_BANDS.count - 1, Math.max(0, position));
  const lower = Math.min(VOICE_BANDS.count - 2, Math.floor(clamped));
  return bandsDb[lower]! + (bandsDb[lower + 1]! - bandsDb[lower]!) * (clamped - lower);
}
