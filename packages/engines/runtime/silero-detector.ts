import { join } from 'node:path';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { createFrameCutter, type LiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import type { GatedFrame } from '@jyutsing/audio/speech/speech-gate';
import type { SpeechDetector } from '@jyutsing/audio/speech/speech-detector';
import { levelDbOf, VAD_FRAME_SAMPLES } from '@jyutsing/audio/speech/vad';
import { openOnnxModel, type OnnxModel } from './onnx.ts';

/** Number of samples that the model takes at once, after the last ones of the step before. */
const STEP_SAMPLES = 512;
const CONTEXT_SAMPLES = 64;
const STATE_DIMS = [2, 1, 128] as const;
/**
 * Probabilities relative to the threshold at which speech begins and ends: chosen on noises, far
 * speech and meetings (docs/measurements.md). They are lower than usual, because a lost word costs
 * more than noise.
 */
const BEGINS_AT = 0.6;
const ENDS_BELOW = 0.3;

const SAMPLE_RATE = { data: BigInt64Array.of(BigInt(RECOGNIZER_SAMPLE_RATE_HZ)), dims: [] };

/**
 * Level in dB below which nothing is speech: in digital silence the model forgets a speaker only
 * slowly.
 */
const SILENCE_DB = -75;

/** Open models by file: the model keeps no state between calls, so a process needs it once. */
const opened = new Map<string, Promise<OnnxModel>>();

export const sileroFile = (builtinModelsDir: string): string =>
  join(builtinModelsDir, 'voice-activity/silero_vad.onnx');

/** Creates Silero's neural voice activity detector; `threshold` is that of `TurnDetection`. */
export async function createSileroDetector(
  file: string,
  threshold: () => number = () => DEFAULT_TURN_DETECTION.threshold,
): Promise<SpeechDetector & { flush(): GatedFrame[] }> {
  const model = await memoizeAsync(opened, file, () =>
    openOnnxModel(file, { inputs: ['input', 'state', 'sr'], outputs: ['output', 'stateN'] }),
  );
  const input = new Float32Array(CONTEXT_SAMPLES + STEP_SAMPLES);
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

  const decideStep = async (): Promise<void> => {
    const outputs = await model.run({
      input: { data: input, dims: [1, input.length] },
      state: { data: state, dims: STATE_DIMS },
      sr: SAMPLE_RATE,
    });
    state = outputs['stateN']!.data;
    isSpeech = outputs['output']!.data[0]! >= threshold() * (isSpeech ? ENDS_BELOW : BEGINS_AT);
    input.copyWithin(0, STEP_SAMPLES);
    filled = 0;
    decidedSamples += STEP_SAMPLES;
  };
  /** Decides the frames whose middle is within the last step. */
  const framesUntil = (sample: number) => {
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
    async push(samples) {
      levels.push(levelDbOf(samples));
      const decided = [];
      for (let at = 0; at < samples.length;) {
        const piece = samples.subarray(at, at + STEP_SAMPLES - filled);
        input.set(piece, CONTEXT_SAMPLES + filled);
        filled += piece.length;
        at += piece.length;
        if (filled < STEP_SAMPLES) break;
        await decideStep();
        decided.push(...framesUntil(decidedSamples));
      }
      return decided;
    },
    flush: () => framesUntil(Infinity),
    close: () => {},
  };
}

/** Creates the detector for sound that arrives live, in pieces of any length. */
export async function createLiveSileroDetector(file: string): Promise<LiveSpeechDetector> {
  let usedThreshold = DEFAULT_TURN_DETECTION.threshold;
  const detector = await createSileroDetector(file, () => usedThreshold);
  const cut = createFrameCutter();
  return {
    async push(samples, threshold) {
      usedThreshold = threshold ?? DEFAULT_TURN_DETECTION.threshold;
      const frames: Float32Array[] = [];
      cut(samples, (frame) => void frames.push(frame.slice()));
      const decided: GatedFrame[] = [];
      for (const frame of frames) decided.push(...(await detector.push(frame)));
      return decided;
    },
    flush: detector.flush,
    close: detector.close,
  };
}
