import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

const FRAME_MS = 20;
const FRAME_SAMPLES = (RECOGNIZER_SAMPLE_RATE_HZ * FRAME_MS) / 1_000;
/** Frames within this range of the 95th loudness percentile can be speech. */
const LOUDNESS_RANGE_DB = 32;
/** Smallest such range, however loud the background. */
const LEAST_RANGE_DB = 14;
/** Threshold position between background and loudest level, within the two ranges above. */
const ABOVE_BACKGROUND = 0.3;
const SILENCE_DB = -60;
/** Longest gap that is filled: closures of stops belong to the speech around them. */
const CLOSURE_FRAMES = 4;
/** Longest burst that is dropped as a click. */
const CLICK_FRAMES = 2;
/** Shorter pauses do not end a turn (DIHARD rule, Ryant et al. 2020). */
const TURN_PAUSE_MS = 200;

export type Stretch = { startMs: number; endMs: number };

/**
 * Finds speech in a clean recording (16 kHz mono) by energy; pauses under 200 ms stay inside a
 * stretch.
 */
export function speechStretches(samples: Float32Array): Stretch[] {
  const active = activeFrames(samples);
  const stretches: Stretch[] = [];
  for (const [index, isActive] of active.entries()) {
    if (!isActive) continue;
    const startMs = Math.max(0, index * FRAME_MS - FRAME_MS / 2);
    const last = stretches.at(-1);
    const endMs = index * FRAME_MS + FRAME_MS / 2;
    if (last !== undefined && startMs - last.endMs < TURN_PAUSE_MS) last.endMs = endMs;
    else stretches.push({ startMs, endMs });
  }
  return stretches;
}

/**
 * Speech activity in the 20 ms around sample 320 × index, as in training
 * (training/speakers/sounds.py).
 */
function activeFrames(samples: Float32Array): boolean[] {
  const count = Math.floor(samples.length / FRAME_SAMPLES) + 1;
  const energies = Array.from({ length: count }, (_, index) => {
    const from = Math.max(0, index * FRAME_SAMPLES - FRAME_SAMPLES / 2);
    const to = Math.min(samples.length, index * FRAME_SAMPLES + FRAME_SAMPLES / 2);
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += samples[at]! ** 2;
    return sum / FRAME_SAMPLES;
  });
  const levels = energies.map((_, index) => {
    const around = [index - 1, index, index + 1].map(
      (position) => energies[Math.min(count - 1, Math.max(0, position))]!,
    );
    return 10 * Math.log10(around.reduce((sum, energy) => sum + energy, 0) / 3 + 1e-9);
  });
  const sorted = levels.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.round(share * (count - 1))]!;
  const [quiet, loud] = [percentile(0.05), percentile(0.95)];
  const threshold = Math.max(
    loud - LOUDNESS_RANGE_DB,
    Math.min(quiet + ABOVE_BACKGROUND * (loud - quiet), loud - LEAST_RANGE_DB),
    SILENCE_DB,
  );
  const active = levels.map((level) => level > threshold);
  return withoutRuns(withoutRuns(active, false, CLOSURE_FRAMES), true, CLICK_FRAMES);
}

/** Inverts runs of `value` of at most `frames` frames that lie between other frames. */
function withoutRuns(active: readonly boolean[], value: boolean, frames: number): boolean[] {
  const result = [...active];
  for (let from = 0; from < active.length;) {
    let to = from;
    while (to < active.length && active[to] === active[from]) to += 1;
    const isInside = from > 0 && to < active.length;
    if (active[from] === value && to - from <= frames && (isInside || value)) result.fill(!value, from, to);
    from = to;
  }
  return result;
}
