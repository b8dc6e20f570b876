import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createSoundFrames, SOUND_FRAME_MS } from './sound-frames.ts';
import { judgeWindows, LENIENT, spokenWindows } from './spoken-windows.ts';
import type { VoiceModel } from './voice-model.ts';

/** Range of samples that contains all speech. */
export type SpeechSpan = { startSample: number; endSample: number };

/** Margin kept around the speech: soft onsets and final stops are below the threshold. */
const MARGIN_MS = 400;
/** Shortest silence that is cut, in milliseconds. */
const MIN_CUT_MS = 500;

/**
 * Finds the speech in mono audio at 16 kHz and trims silence at both ends; null for silence, noise
 * or music. Doubtful audio counts as speech: hardly any learner's recording may be refused.
 */
export async function findSpeech(samples: Float32Array, voiceOf: VoiceModel): Promise<SpeechSpan | null> {
  const frames = createSoundFrames(samples);
  if (spokenWindows(judgeWindows(frames, await voiceOf(samples)), LENIENT).length === 0) return null;
  const samplesPerMs = RECOGNIZER_SAMPLE_RATE_HZ / 1_000;
  const startMs = frames.isActive.indexOf(1) * SOUND_FRAME_MS - MARGIN_MS;
  const endMs = (frames.isActive.lastIndexOf(1) + 1) * SOUND_FRAME_MS + MARGIN_MS;
  const durationMs = samples.length / samplesPerMs;
  return {
    startSample: startMs < MIN_CUT_MS ? 0 : startMs * samplesPerMs,
    endSample: endMs > durationMs - MIN_CUT_MS ? samples.length : endMs * samplesPerMs,
  };
}
