export const SAMPLE_RATE_HZ = 24_000;
/** Samples of a frame (12.5 ms), of a window, and the bins of its spectrum, 20 Hz apart. */
export const HOP = 300;
export const WINDOW = 4 * HOP;
export const BINS = WINDOW / 2 + 1;
export const FRAME_MS = (1_000 * HOP) / SAMPLE_RATE_HZ;

/** Parts of a frame: `BINS` logarithms of amplitudes, or phases, each. */
const PARTS = ['tone', 'tonePhase', 'noise', 'free', 'freePhase'] as const;
export const FRAME_SIZE = PARTS.length * BINS;

/**
 * One frame of speech. `tone` is the filter of the pulses, its phase the inverse hyperbolic tangent
 * of half turns; `noise` the filter of white noise; `free` a spectrum of its own (hiss, breath,
 * bursts), its phase in radians.
 */
export type SpectralFrame = Readonly<Record<(typeof PARTS)[number], Float32Array>>;

/**
 * A stretch of speech: `FRAME_SIZE` numbers for each frame, and the pitch of each in hertz; below
 * 40 it has no voice.
 */
export type Spectra = { frames: Float32Array; pitchHz: Float32Array };

/** The parts of frame `at`, which share its memory. */
export function frameAt({ frames }: Pick<Spectra, 'frames'>, at: number): SpectralFrame {
  const partAt = (part: number) => frames.subarray(at * FRAME_SIZE + part * BINS, at * FRAME_SIZE + (part + 1) * BINS);
  return { tone: partAt(0), tonePhase: partAt(1), noise: partAt(2), free: partAt(3), freePhase: partAt(4) };
}
