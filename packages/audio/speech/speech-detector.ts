import { createSpeechGate, type GatedFrame } from './speech-gate.ts';
import { createVoiceDetector } from './vad.ts';

/**
 * Decides for each frame of a recording (VAD_FRAME_SAMPLES) whether it is speech. Decisions may lag
 * behind the frames, but keep their order.
 */
export type SpeechDetector = {
  push(samples: Float32Array): GatedFrame[] | Promise<GatedFrame[]>;
  /** Returns the remaining frames. */
  flush(): GatedFrame[] | Promise<GatedFrame[]>;
  close(): void;
};

/**
 * Creates a detector from WebRTC's, gated by the level above the background. Without `withPitch`
 * the periodicity of every frame is 0.
 */
export async function createWebRtcSpeechDetector({ withPitch = true } = {}): Promise<SpeechDetector> {
  const detector = await createVoiceDetector({ withPitch });
  const gate = createSpeechGate();
  return {
    push: (samples) => gate.push(detector.judge(samples)),
    flush: () => gate.flush(),
    close: () => detector.close(),
  };
}
