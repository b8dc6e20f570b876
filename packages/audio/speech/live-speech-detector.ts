import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { createLiveSpeechGate, type GatedFrame } from './speech-gate.ts';
import { createVoiceDetector, VAD_FRAME_SAMPLES } from './vad.ts';

/** Decides for each frame of sound that arrives live whether it is speech, at most 50 ms late. */
export type LiveSpeechDetector = {
  /**
   * Takes any number of samples at 16 kHz; returns the frames that are decided now, in order.
   * `threshold` is that of `TurnDetection`; null for the default.
   */
  push(samples: Float32Array, threshold: number | null): GatedFrame[] | Promise<GatedFrame[]>;
  /** Returns the complete frames that are not decided yet. */
  flush(): GatedFrame[];
  close(): void;
};

/** Creates a detector from WebRTC's, gated by the level above the background. */
export async function createLiveSpeechDetector(): Promise<LiveSpeechDetector> {
  const detector = await createVoiceDetector();
  let usedThreshold = DEFAULT_TURN_DETECTION.threshold;
  const gate = createLiveSpeechGate(() => usedThreshold);
  const cut = createFrameCutter();
  return {
    push(samples, threshold) {
      usedThreshold = threshold ?? DEFAULT_TURN_DETECTION.threshold;
      const decided: GatedFrame[] = [];
      cut(samples, (frame) => void decided.push(...gate.push(detector.judge(frame))));
      return decided;
    },
    flush: () => gate.flush(),
    close: () => detector.close(),
  };
}

/**
 * Returns a function that cuts sound into frames of VAD_FRAME_SAMPLES, each valid until the next
 * one.
 */
export function createFrameCutter(): (samples: Float32Array, take: (frame: Float32Array) => void) => void {
  const frame = new Float32Array(VAD_FRAME_SAMPLES);
  let filled = 0;
  return (samples, take) => {
    for (let at = 0; at < samples.length;) {
      const piece = samples.subarray(at, at + VAD_FRAME_SAMPLES - filled);
      frame.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled < VAD_FRAME_SAMPLES) return;
      filled = 0;
      take(frame);
    }
  };
}
