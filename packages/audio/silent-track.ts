import type { AudioInput } from './av-input.ts';
import { decodeFrames } from './frames.ts';
import { createMixer } from './mixer.ts';
import { RecordingClock } from './recording-clock.ts';

/** Enough for the loudest sample, which is all that is wanted. */
const SAMPLE_RATE_HZ = 8_000;
/** The sound of a connected microphone has more noise: −80 dB. */
const SILENT_LEVEL = 1e-4;

/**
 * Returns how much of the beginning of a track was searched, in milliseconds, if it has no sound
 * before `limitMs`; null if it has. Reads its packets; one that cannot be decoded counts as sound,
 * so that its error is told, and so does an aborted search.
 */
export async function silentMsOf(input: AudioInput, limitMs: number, signal: AbortSignal): Promise<number | null> {
  const clock = new RecordingClock(input.clockStart);
  const mixer = createMixer(SAMPLE_RATE_HZ);
  try {
    for await (const loud of decodeFrames(input, { clock, signal }, (frame) => isLoud(mixer.push(frame)))) {
      if (loud) return null;
      if (clock.positionMs > limitMs) return clock.positionMs;
    }
    return isLoud(mixer.flush()) ? null : clock.positionMs;
  } catch {
    return null;
  } finally {
    mixer.close();
  }
}

function isLoud(samples: Float32Array): boolean {
  return samples.some((sample) => Math.abs(sample) > SILENT_LEVEL);
}
