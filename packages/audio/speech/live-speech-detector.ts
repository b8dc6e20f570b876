import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { createLiveSpeechGate, type GatedFrame } from './speech-gate.ts';
import { createVoiceDetector, VAD_FRAME_SAMPLES } from './vad.ts';

/** Decides for each frame of sound that arrives live whether it is speech, about 40 ms late. */
export type LiveSpeechDetector = {
  /**
   * Takes any number of samples at 16 kHz; returns the frames that are decided now, in order.
   * `threshold`: see `TurnDetection`; null: the usual one.
   */
  push(samples: Float32Array, threshold: number | null): GatedFrame[];
  /** The complete frames that are not decided yet. */
  flush(): GatedFrame[];
  close(): void;
};

/** The detector of live sessions: WebRTC's, gated by the level above the background. */
export async function createLiveSpeechDetector(): Promise<LiveSpeechDetector> {
  const detector = await createVoiceDetector();
  let usedThreshold = DEFAULT_TURN_DETECTION.threshold;
  const gate = createLiveSpeechGate(() => usedThreshold);
  const rest = new Float32Array(VAD_FRAME_SAMPLES);
  let restLength = 0;
  return {
    push(samples, threshold) {
      usedThreshold = threshold ?? DEFAULT_TURN_DETECTION.threshold;
      const decided: GatedFrame[] = [];
      for (let at = 0; at < samples.length;) {
        const take = Math.min(VAD_FRAME_SAMPLES - restLength, samples.length - at);
        rest.set(samples.subarray(at, at + take), restLength);
        restLength += take;
        at += take;
        if (restLength < VAD_FRAME_SAMPLES) break;
        restLength = 0;
        decided.push(...gate.push(detector.judge(rest)));
      }
      return decided;
    },
    flush: () => gate.flush(),
    close: () => detector.close(),
  };
}
