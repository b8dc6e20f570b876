import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createHighPass } from '@jyutsing/audio/speech/high-pass';
import { loudestLevelDb } from '@jyutsing/audio/speech/sound-frames';
import { VOICE_STEP_SAMPLES, type VoiceModel } from '@jyutsing/audio/speech/voice-model';
import { openOnnxModel, type OnnxModel } from './onnx.ts';

/** Samples of the step before, which the model takes again with each step. */
export const CONTEXT_SAMPLES = 64;
/** Length of the model's state for one sound: two layers of this size. */
const STATE_SIZE = 128;
export const SAMPLE_RATE = { data: BigInt64Array.of(BigInt(RECOGNIZER_SAMPLE_RATE_HZ)), dims: [] };

/**
 * Steps of a lane: a sound is cut into lanes that the model takes at once, because that is three
 * times as fast as one step after the other.
 */
const MOST_LANE_STEPS = 64;
const LEAST_LANE_STEPS = 16;
/** Steps before its beginning with which each lane begins, to hear the sound that came before. */
const WARM_UP_STEPS = 8;
const MOST_LANES = 16;

/**
 * Level in dB of full scale that the loudest stretch is brought to: the model knows loud voices
 * better. Silence is not amplified further than this gain.
 */
const TARGET_DB = -20;
const MOST_GAIN_DB = 40;
/**
 * Over an offset or rumble, what is below this frequency, the model hears no voice. With a cutoff
 * above hum it would take more wind for voices.
 */
const RUMBLE_HZ = 40;

/** Open models by file: the model keeps no state between calls, so a process needs it once. */
const opened = new Map<string, Promise<OnnxModel>>();

/** Opens the file of Silero's voice activity detector, once in a process. */
export function openSilero(file: string): Promise<OnnxModel> {
  return memoizeAsync(opened, file, () =>
    openOnnxModel(file, { inputs: ['input', 'state', 'sr'], outputs: ['output', 'stateN'] }),
  );
}

/** Makes a voice model of Silero's detector; it is opened at the first use. */
export function createSileroVoice(file: string): VoiceModel {
  return async (samples) => {
    const model = await openSilero(file);
    const sound = atOneLevel(samples);
    const steps = Math.floor(sound.length / VOICE_STEP_SAMPLES);
    const voice = new Float32Array(steps);
    const laneSteps = Math.max(LEAST_LANE_STEPS, Math.min(MOST_LANE_STEPS, Math.ceil(steps / MOST_LANES)));
    for (let at = 0; at < steps; at += laneSteps * MOST_LANES) {
      await runLanes(model, sound, { voice, at, laneSteps });
    }
    return voice;
  };
}

function atOneLevel(samples: Float32Array): Float32Array {
  const gainDb = Math.min(MOST_GAIN_DB, TARGET_DB - loudestLevelDb(samples));
  const gain = 10 ** (gainDb / 20);
  return createHighPass(RUMBLE_HZ)(samples).map((sample) => sample * gain);
}

/** Fills in the probabilities from step `at` on, as far as the lanes reach. */
async function runLanes(
  model: OnnxModel,
  sound: Float32Array,
  { voice, at, laneSteps }: { voice: Float32Array; at: number; laneSteps: number },
): Promise<void> {
  const lanes = Math.min(MOST_LANES, Math.ceil((voice.length - at) / laneSteps));
  const size = CONTEXT_SAMPLES + VOICE_STEP_SAMPLES;
  const input = { data: new Float32Array(lanes * size), dims: [lanes, size] };
  let state: Float32Array = new Float32Array(2 * lanes * STATE_SIZE);
  for (let step = -WARM_UP_STEPS; step < Math.min(laneSteps, voice.length - at); step += 1) {
    input.data.fill(0);
    for (let lane = 0; lane < lanes; lane += 1) {
      const end = (at + lane * laneSteps + step + 1) * VOICE_STEP_SAMPLES;
      const from = Math.max(0, end - size);
      if (end > 0) input.data.set(sound.subarray(from, end), (lane + 1) * size - (end - from));
    }
    const outputs = await model.run({ input, state: { data: state, dims: [2, lanes, STATE_SIZE] }, sr: SAMPLE_RATE });
    state = outputs['stateN']!.data;
    for (let lane = 0; lane < lanes; lane += 1) {
      const place = at + lane * laneSteps + step;
      if (step >= 0 && place < voice.length) voice[place] = outputs['output']!.data[lane]!;
    }
  }
}
