import type { AudioInput } from './av-input.ts';
import { decodeFrames } from './frames.ts';
import { createMixer } from './mixer.ts';
import { RecordingClock } from './recording-clock.ts';

/** Enough for the loudest sample, which is all that is wanted. */
const SAMPLE_RATE_HZ = 8_000;
/** The sound of a connected microphone has more noise: −80 dB. */
const SILENT_LEVEL = 1e-4;
/** Sound that begins later is that of a track on which nothing is said at first. */
const SEARCHED_MS = 600_000;

/**
 * Tells whether a track has no sound in its first ten minutes. Reads its packets; one that cannot
 * be decoded counts as not silent, so that its error is told.
 */
export async function isSilent(input: AudioInput): Promise<boolean> {
  const clock = new RecordingClock(input.clockStart);
  const mixer = createMixer(SAMPLE_RATE_HZ);
  const { signal } = new AbortController();
  try {
    for await (const loud of decodeFrames(input, { clock, signal }, (frame) => isLoud(mixer.push(frame)))) {
      if (loud || clock.positionMs > SEARCHED_MS) return !loud;
    }
    return !isLoud(mixer.flush());
  } catch {
    return false;
  } finally {
    mixer.close();
  }
}

function isLoud(samples: Float32Array): boolean {
  return samples.some((sample) => Math.abs(sample) > SILENT_LEVEL);
}
