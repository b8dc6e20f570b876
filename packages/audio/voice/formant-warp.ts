import { ENVELOPE_BINS, HZ_PER_BIN } from '#audio/vocoder/speech-frames.ts';

/** Limits of the ratio between the formants of two vocal tracts. */
const MIN_RATIO = 0.75;
const MAX_RATIO = 1.5;
/**
 * Formants keep at least this distance when each is moved by its own ratio: a fold in the axis
 * would swallow one.
 */
const MIN_SLOPE = 0.4;
/** Below this the spectrum moves with the third formant; above it is stretched to fit. */
const EDGE_HZ = 7_000;

/**
 * Maps each bin of the target to a position in the source, in bins: piecewise linear through the
 * three formants, as in vocal tract length normalization (L. Lee, R. Rose, "A frequency warping
 * approach to speaker normalization", IEEE TSAP 6(1), 1998).
 */
export function formantWarp(sourceHz: readonly number[], targetHz: readonly number[]): Float64Array {
  const ratios = targetHz.map((hz, i) => Math.min(MAX_RATIO, Math.max(MIN_RATIO, hz / (sourceHz[i] ?? hz))));
  const last = ratios.at(-1) ?? 1;
  const from = [0, ...sourceHz, Math.min(EDGE_HZ, EDGE_HZ / last)];
  const to = [0, ...sourceHz.map((hz, i) => hz * (ratios[i] ?? 1)), Math.min(EDGE_HZ, EDGE_HZ / last) * last];
  const topHz = (ENVELOPE_BINS - 1) * HZ_PER_BIN;
  from.push(topHz);
  to.push(topHz);
  for (let i = 1; i < to.length; i += 1) to[i] = Math.max(to[i]!, to[i - 1]! + MIN_SLOPE * (from[i]! - from[i - 1]!));
  const end = to.at(-1)!;
  return Float64Array.from({ length: ENVELOPE_BINS }, (_, k) => {
    const hz = k * HZ_PER_BIN * (end / topHz);
    const next = Math.max(
      1,
      to.findIndex((place) => place >= hz),
    );
    const share = (hz - to[next - 1]!) / (to[next]! - to[next - 1]!);
    return Math.min(ENVELOPE_BINS - 1, (from[next - 1]! + share * (from[next]! - from[next - 1]!)) / HZ_PER_BIN);
  });
}

const scratch = new Float32Array(ENVELOPE_BINS);

/** Warps an envelope along the frequency axis, in place. */
export function warpEnvelope(envelopeDb: Float32Array, warp: Float64Array): void {
  for (let k = 0; k < ENVELOPE_BINS; k += 1) {
    const at = warp[k]!;
    const lower = Math.min(ENVELOPE_BINS - 2, Math.floor(at));
    scratch[k] = envelopeDb[lower]! + (envelopeDb[lower + 1]! - envelopeDb[lower]!) * (at - lower);
  }
  envelopeDb.set(scratch);
}
