import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { createHighPass, HUM_HZ } from '@jyutsing/audio/speech/high-pass';
import { createFrameCutter, type LiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import type { GatedFrame } from '@jyutsing/audio/speech/speech-gate';
import { levelDbOf, VAD_FRAME_SAMPLES } from '@jyutsing/audio/speech/vad';
import { VOICE_STEP_SAMPLES } from '@jyutsing/audio/speech/voice-model';
import { CONTEXT_SAMPLES, openSilero, SAMPLE_RATE } from './silero-voice.ts';

const STATE_DIMS = [2, 1, 128] as const;
/**
 * Probabilities relative to the threshold at which speech begins and ends: chosen on noises, far
 * speech and meetings (docs/measurements.md). They are lower than usual, because a lost word costs
 * more than noise.
 */
const BEGINS_AT = 0.6;
const ENDS_BELOW = 0.3;

/**
 * Level in dB below which nothing is speech: in digital silence the model forgets a speaker only
 * slowly.
 */
const SILENCE_DB = -75;

/** Creates Silero's neural voice activity detector for sound that arrives live, in any pieces. */
export async function createLiveSileroDetector(file: string): Promise<LiveSpeechDetector> {
  const model = await openSilero(file);
  const cut = createFrameCutter();
  const withoutHum = createHighPass(HUM_HZ);
  const input = new Float32Array(CONTEXT_SAMPLES + VOICE_STEP_SAMPLES);
  let state: Float32Array = new Float32Array(2 * 128);
  let filled = 0;
  let isSpeech = false;
  /**
   * Levels of the frames that are not decided yet, and the sample at which the first of them
   * begins.
   */
  let levels: number[] = [];
  let levelsFrom = 0;
  let decidedSamples = 0;

  const decideStep = async (threshold: number): Promise<void> => {
    const outputs = await model.run({
      input: { data: input, dims: [1, input.length] },
      state: { data: state, dims: STATE_DIMS },
      sr: SAMPLE_RATE,
    });
    state = outputs['stateN']!.data;
    isSpeech = outputs['output']!.data[0]! >= threshold * (isSpeech ? ENDS_BELOW : BEGINS_AT);
    input.copyWithin(0, VOICE_STEP_SAMPLES);
    filled = 0;
    decidedSamples += VOICE_STEP_SAMPLES;
  };
  /** Decides the frames whose middle is within the last step. */
  const framesUntil = (sample: number): GatedFrame[] => {
    // `flush` may have returned frames before their step was complete.
    const count = Math.max(0, Math.round((sample - levelsFrom) / VAD_FRAME_SAMPLES));
    const decided = levels.slice(0, count);
    levels = levels.slice(count);
    levelsFrom += decided.length * VAD_FRAME_SAMPLES;
    // Silero's decision needs no confirmation by pitch.
    return decided.map((levelDb) => ({
      isVoice: isSpeech,
      isSpeech: isSpeech && levelDb > SILENCE_DB,
      levelDb,
      periodicity: 1,
    }));
  };

  return {
    async push(samples, threshold) {
      const frames: Float32Array[] = [];
      cut(samples, (frame) => void frames.push(withoutHum(frame)));
      const decided: GatedFrame[] = [];
      for (const frame of frames) {
        levels.push(levelDbOf(frame));
        for (let at = 0; at < frame.length;) {
          const piece = frame.subarray(at, at + VOICE_STEP_SAMPLES - filled);
          input.set(piece, CONTEXT_SAMPLES + filled);
          filled += piece.length;
          at += piece.length;
          if (filled < VOICE_STEP_SAMPLES) break;
          await decideStep(threshold ?? DEFAULT_TURN_DETECTION.threshold);
          decided.push(...framesUntil(decidedSamples));
        }
      }
      return decided;
    },
    flush: () => framesUntil(Infinity),
    close: () => {},
  };
}
