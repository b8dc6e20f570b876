import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { NOISE_BANDS } from '#audio/vocoder/speech-frames.ts';

/**
 * A typical voiced sound: its level in the bands of a profile (dB, without its mean) and its noise
 * shares.
 */
export const VOICED_ROW = VOICE_BANDS.count + NOISE_BANDS;
/** A typical unvoiced sound consists of its levels alone. */
export const UNVOICED_ROW = VOICE_BANDS.count;
const MAX_VOICED = 64;
const MAX_UNVOICED = 24;
/**
 * Bands that are normalized and compared: up to 5.5 kHz, above which recordings differ more than
 * sounds do.
 */
const COMPARED_FROM = 2;
const COMPARED_TO = 36;
const MEAN_BANDS = 34;
const ROUNDS = 8;
const STEPS_PER_DB = 2;
const HEADER_BYTES = 3;

/**
 * Typical sounds of a voice: the means of clusters of its frames. Unlike averages over a whole
 * sample they describe how this speaker produces an [i] or an [s].
 */
export type Timbre = {
  /** Mean level of voiced frames, dB. */
  levelDb: number;
  /** Level of the quietest frames in the bands of a profile, dB: the background. */
  backgroundDb: Float32Array;
  /** Rows of `VOICED_ROW` and `UNVOICED_ROW` numbers. */
  voiced: Float32Array;
  unvoiced: Float32Array;
};

/**
 * Encodes a timbre for a profile: bytes in base64; levels of rows in half decibels, shares in
 * 127ths, the rest in decibels.
 */
export function encodeTimbre({ levelDb, backgroundDb, voiced, unvoiced }: Timbre): string {
  const bytes = new Int8Array(HEADER_BYTES + VOICE_BANDS.count + voiced.length + unvoiced.length);
  bytes.set([clampByte(levelDb), voiced.length / VOICED_ROW, unvoiced.length / UNVOICED_ROW]);
  bytes.set(Array.from(backgroundDb, clampByte), HEADER_BYTES);
  const start = HEADER_BYTES + VOICE_BANDS.count;
  for (let i = 0; i < voiced.length; i += 1) {
    const steps = i % VOICED_ROW < VOICE_BANDS.count ? STEPS_PER_DB : 127;
    bytes[start + i] = clampByte(voiced[i]! * steps);
  }
  for (let i = 0; i < unvoiced.length; i += 1)
    bytes[start + voiced.length + i] = clampByte(unvoiced[i]! * STEPS_PER_DB);
  return Buffer.from(bytes.buffer).toString('base64');
}

/** Decodes a timbre; null when a profile has none or it is malformed. */
export function decodeTimbre(encoded: string): Timbre | null {
  const decoded = Buffer.from(encoded, 'base64');
  const bytes = new Int8Array(decoded.buffer, decoded.byteOffset, decoded.length);
  const [levelDb, voicedRows, unvoicedRows] = bytes;
  if (levelDb === undefined || voicedRows === undefined || unvoicedRows === undefined) return null;
  const start = HEADER_BYTES + VOICE_BANDS.count;
  const middle = start + voicedRows * VOICED_ROW;
  if (voicedRows < 1 || unvoicedRows < 0 || bytes.length !== middle + unvoicedRows * UNVOICED_ROW) return null;
  return {
    levelDb,
    backgroundDb: Float32Array.from(bytes.subarray(HEADER_BYTES, start)),
    voiced: Float32Array.from(
      bytes.subarray(start, middle),
      (byte, i) => byte / (i % VOICED_ROW < VOICE_BANDS.count ? STEPS_PER_DB : 127),
    ),
    unvoiced: Float32Array.from(bytes.subarray(middle), (byte) => byte / STEPS_PER_DB),
  };
}

const clampByte = (value: number) => Math.min(127, Math.max(-128, Math.round(value)));

/**
 * Subtracts the mean level of a row in place, so that only the spectral shape remains; returns the
 * mean.
 */
export function takeOffLevel(row: Float32Array, at = 0): number {
  let mean = 0;
  for (let band = 0; band < MEAN_BANDS; band += 1) mean += row[at + band]! / MEAN_BANDS;
  for (let band = 0; band < VOICE_BANDS.count; band += 1) row[at + band] = row[at + band]! - mean;
  return mean;
}

/** Computes the mean square difference of two sounds, dB². */
export function distance(a: Float32Array, aAt: number, b: Float32Array, bAt: number): number {
  let sum = 0;
  for (let band = COMPARED_FROM; band < COMPARED_TO; band += 1) {
    const difference = a[aAt + band]! - b[bAt + band]!;
    sum += difference * difference;
  }
  return sum / (COMPARED_TO - COMPARED_FROM);
}

/**
 * Reduces rows (of `width` numbers, levels taken off) to at most as many typical ones as a profile
 * holds: k-means with a fixed start, so the result is reproducible.
 */
export function typicalRows(rows: Float32Array, width: typeof VOICED_ROW | typeof UNVOICED_ROW): Float32Array {
  const count = rows.length / width;
  const maxRows = width === VOICED_ROW ? MAX_VOICED : MAX_UNVOICED;
  if (count <= maxRows) return rows;
  const centers = new Float32Array(maxRows * width);
  for (let i = 0; i < maxRows; i += 1) {
    const from = Math.floor(((i + 0.5) * count) / maxRows) * width;
    centers.set(rows.subarray(from, from + width), i * width);
  }
  const sums = new Float64Array(centers.length);
  const members = new Uint32Array(maxRows);
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.fill(0);
    members.fill(0);
    for (let row = 0; row < rows.length; row += width) {
      const nearest = nearestRow(rows, row, centers, width);
      members[nearest] = members[nearest]! + 1;
      for (let i = 0; i < width; i += 1) sums[nearest * width + i] = sums[nearest * width + i]! + rows[row + i]!;
    }
    for (let i = 0; i < centers.length; i += 1) {
      const size = members[Math.floor(i / width)]!;
      if (size > 0) centers[i] = sums[i]! / size;
    }
  }
  return centers;
}

function nearestRow(rows: Float32Array, row: number, centers: Float32Array, width: number): number {
  let best = 0;
  let smallest = Infinity;
  for (let at = 0; at < centers.length; at += width) {
    const distanceHere = distance(rows, row, centers, at);
    if (distanceHere < smallest) [smallest, best] = [distanceHere, at / width];
  }
  return best;
}
