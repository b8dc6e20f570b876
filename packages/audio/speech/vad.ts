/* oxlint-disable no-underscore-dangle -- names of the module's C functions */
import fvad, { type FvadModule } from '@echogarden/fvad-wasm';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createHighPass, HUM_HZ } from './high-pass.ts';

/** Frame length. WebRTC's detector accepts 10, 20 or 30 ms. */
export const VAD_FRAME_MS = 20;
export const VAD_FRAME_SAMPLES = (RECOGNIZER_SAMPLE_RATE_HZ * VAD_FRAME_MS) / 1_000;

export type VadFrame = {
  /** The detector's decision for this frame, unsmoothed. */
  isVoice: boolean;
  /** RMS level in dB of full scale without what is below voices; at least −100. */
  levelDb: number;
  /**
   * Strongest normalized autocorrelation at a pitch of 70–400 Hz, 0..1: near 1 for vowels, low for
   * hiss; 0 where there is no voice.
   */
  periodicity: number;
};

type VoiceDetector = {
  /**
   * Classifies one frame of VAD_FRAME_SAMPLES samples. Stateful: pass the frames of one recording
   * in order.
   */
  judge(samples: Float32Array): VadFrame;
  close(): void;
};

/**
 * From 0 (accepts the most as speech) to 3. 2 keeps quiet syllables; level and pitch filter out
 * other sounds.
 */
const AGGRESSIVENESS = 2;
const SILENCE_DB = -100;

/** RMS level of a frame in dB of full scale, at least −100. */
export function levelDbOf(samples: Float32Array): number {
  const power = energyOf(samples, 0, samples.length) / samples.length;
  return power > 0 ? Math.max(SILENCE_DB, 10 * Math.log10(power)) : SILENCE_DB;
}

/** Measures the levels of the frames of one sound, in order, without offset, rumble and hum. */
function createLevelMeter(): (samples: Float32Array) => number {
  const withoutHum = createHighPass(HUM_HZ);
  // The filter rings after the end of a word, where the sound itself is silent.
  return (samples) => Math.min(levelDbOf(withoutHum(samples)), levelDbOf(samples));
}

let loading: Promise<FvadModule> | null = null;

/**
 * The WebRTC voice activity detector (BSD-3-Clause, libfvad compiled to WebAssembly), with level
 * and, unless it is not wanted, pitch beside it.
 */
export async function createVoiceDetector({ withPitch = true } = {}): Promise<VoiceDetector> {
  loading ??= fvad();
  const module = await loading;
  const handle = module._fvad_new();
  const memory = module._malloc(VAD_FRAME_SAMPLES * 2);
  if (handle === 0 || memory === 0) throw new AppError('engine_failed', undefined, { cause: 'fvad is out of memory' });
  module._fvad_set_sample_rate(handle, RECOGNIZER_SAMPLE_RATE_HZ);
  module._fvad_set_mode(handle, AGGRESSIVENESS);
  const measurePeriodicity = createPeriodicityMeter();
  const measureLevelDb = createLevelMeter();
  return {
    judge(samples) {
      // Read each time: the view is replaced when the module's memory grows.
      const view = module.HEAP16;
      for (let i = 0; i < VAD_FRAME_SAMPLES; i += 1) view[memory / 2 + i] = (samples[i] ?? 0) * 32_767;
      const isVoice = module._fvad_process(handle, memory, VAD_FRAME_SAMPLES) === 1;
      return {
        isVoice,
        levelDb: measureLevelDb(samples),
        periodicity: withPitch ? measurePeriodicity(samples, isVoice) : 0,
      };
    },
    close() {
      module._free(memory);
      module._fvad_free(handle);
    },
  };
}

/**
 * The pitch search uses a quarter of the rate and the last three frames (60 ms): four periods of
 * the lowest voice (70 Hz).
 */
const DECIMATION = 4;
const LOW_RATE_HZ = RECOGNIZER_SAMPLE_RATE_HZ / DECIMATION;
const LOW_FRAME_SAMPLES = VAD_FRAME_SAMPLES / DECIMATION;
const WINDOW_SAMPLES = LOW_FRAME_SAMPLES * 3;
const MIN_LAG = Math.floor(LOW_RATE_HZ / 400);
const MAX_LAG = Math.ceil(LOW_RATE_HZ / 70);

function createPeriodicityMeter(): (samples: Float32Array, isVoice: boolean) => number {
  const window = new Float32Array(WINDOW_SAMPLES);
  return (samples, isVoice) => {
    window.copyWithin(0, LOW_FRAME_SAMPLES);
    for (let i = 0; i < LOW_FRAME_SAMPLES; i += 1) {
      let sum = 0;
      for (let j = 0; j < DECIMATION; j += 1) sum += samples[i * DECIMATION + j] ?? 0;
      window[WINDOW_SAMPLES - LOW_FRAME_SAMPLES + i] = sum;
    }
    if (!isVoice) return 0;
    const length = WINDOW_SAMPLES - MAX_LAG;
    const energyA = energyOf(window, 0, length);
    let energyB = energyOf(window, MIN_LAG, length);
    let best = 0;
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag += 1) {
      let product = 0;
      for (let i = 0; i < length; i += 1) product += (window[i] ?? 0) * (window[i + lag] ?? 0);
      const energy = Math.sqrt(energyA * Math.max(0, energyB));
      if (energy > 1e-9 && product > best * energy) best = product / energy;
      // The compared window moves by one sample.
      energyB += (window[lag + length] ?? 0) ** 2 - (window[lag] ?? 0) ** 2;
    }
    return Math.min(1, best);
  };
}

function energyOf(window: Float32Array, start: number, length: number): number {
  let energy = 0;
  for (let i = start; i < start + length; i += 1) {
    const value = window[i] ?? 0;
    energy += value * value;
  }
  return energy;
}
