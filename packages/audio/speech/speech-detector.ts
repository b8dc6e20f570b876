import { createSpeechGate, type GatedFrame } from './speech-gate.ts';
import { createVoiceDetector } from './vad.ts';

/**
 * Decides for each frame of a recording (VAD_FRAME_SAMPLES) whether it is speech. Frames may be
 * decided some time after they came, but in order.
 */
export type SpeechDetector = {
  push(samples: Float32Array): GatedFrame[] | Promise<GatedFrame[]>;
  /** The remaining frames. */
  flush(): GatedFrame[] | Promise<GatedFrame[]>;
  close(): void;
};

/** WebRTC's detector, gated by the level above the background. */
export async function createWebRtcSpeechDetector(): Promise<SpeechDetector> {
  const detector = await createVoiceDetector();
  const gate = createSpeechGate();
  return {
    push: (samples) => gate.push(detector.judge(samples)),
    flush: () => gate.flush(),
    close: () => detector.close(),
  };
}
