import { median } from '@jyutsing/numeric/statistics';
import { formantWarp, warpEnvelope } from '#packages/audio/voice/formant-warp.ts';
import { analyzeSpeech } from '@jyutsing/audio/vocoder/analyze-speech';
import { createRandom } from '#packages/numeric/random.ts';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { createResynthesizer } from '@jyutsing/audio/vocoder/resynthesize';
import {
  ENVELOPE_BINS,
  HZ_PER_BIN,
  NOISE_BANDS,
  VOCODER_SAMPLE_RATE_HZ,
  type SpeechFrames,
} from '@jyutsing/audio/vocoder/speech-frames';

/** Parameters that convert a recording to another speaker in other recording conditions. */
type Person = {
  seed: number;
  /** Median pitch. */
  registerHz: number;
  /** Stretch factor of the pitch contour. */
  span: number;
  /** Ratios of the first three formants. */
  formants: readonly number[];
  /** Spectral slope in dB per octave around 1 kHz. */
  tiltDb: number;
  tempo: number;
  /** Band limit: half of this rate. */
  sampleRateHz: number;
  /** Level of white noise below the speech, in dB. */
  noiseDb: number;
};

const FORMANTS_HZ = [500, 1_500, 2_500];

/**
 * Draws a fictional speaker: vocal tracts from a child's to a tall man's, telephones to good
 * microphones.
 */
export function inventPerson(seed: number): Person {
  const random = createRandom(seed);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const size = Math.exp(between(Math.log(0.82), Math.log(1.28)));
  // Pitch correlates with body size.
  const registerHz = Math.min(420, Math.max(75, 165 * size ** 2.5 * Math.exp(between(-0.18, 0.18))));
  return {
    seed,
    registerHz,
    span: between(0.75, 1.35),
    formants: FORMANTS_HZ.map(() => size * Math.exp(between(-0.07, 0.07))),
    tiltDb: between(-3.5, 2.5),
    tempo: between(0.85, 1.2),
    sampleRateHz: Math.round(between(0, 1) < 0.5 ? between(8_000, 11_000) : 16_000),
    noiseDb: between(-50, -22),
  };
}

/**
 * Converts 16 kHz mono speech to another speaker. The vocoder shifts pitch and formants
 * independently.
 */
export function speakAs(samples: Float32Array, person: Person): Float32Array {
  const frames = analyzeSpeech(samples, 16_000);
  const medianHz = median(
    frames.pitchHz.filter((hz) => hz > 0),
    150,
  );
  const warp = formantWarp(
    FORMANTS_HZ,
    FORMANTS_HZ.map((hz, formant) => hz * person.formants[formant]!),
  );
  const sound = resynthesize(frames, person, medianHz, warp);
  const atRate = resample(resample(sound, VOCODER_SAMPLE_RATE_HZ, person.sampleRateHz), person.sampleRateHz, 16_000);
  return withNoise(atRate, person);
}

function resynthesize(frames: SpeechFrames, person: Person, medianHz: number, warp: Float64Array): Float32Array {
  const resynthesizer = createResynthesizer({ seed: person.seed });
  const pieces: Float32Array[] = [];
  const envelopeDb = new Float32Array(ENVELOPE_BINS);
  const noiseShares = new Float32Array(NOISE_BANDS);
  const count = Math.floor(frames.count / person.tempo);
  for (let index = 0; index < count; index++) {
    const frame = Math.min(frames.count - 1, Math.round(index * person.tempo));
    envelopeDb.set(frames.envelopeDb.subarray(frame * ENVELOPE_BINS, (frame + 1) * ENVELOPE_BINS));
    noiseShares.set(frames.noiseShares.subarray(frame * NOISE_BANDS, (frame + 1) * NOISE_BANDS));
    warpEnvelope(envelopeDb, warp);
    for (let bin = 1; bin < ENVELOPE_BINS; bin++) {
      envelopeDb[bin]! += person.tiltDb * Math.max(-3, Math.log2((bin * HZ_PER_BIN) / 1_000));
    }
    const hz = frames.pitchHz[frame]!;
    const pitchHz = hz === 0 ? 0 : person.registerHz * (hz / medianHz) ** person.span;
    pieces.push(resynthesizer.push({ pitchHz, envelopeDb, noiseShares }));
  }
  pieces.push(resynthesizer.flush());
  const sound = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    sound.set(piece, at);
    at += piece.length;
  }
  return sound;
}

function withNoise(samples: Float32Array, { seed, noiseDb }: Person): Float32Array {
  const random = createRandom(seed + 1);
  let power = 0;
  let peak = 1e-6;
  for (const sample of samples) {
    power += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  const level = Math.sqrt((3 * power) / Math.max(1, samples.length)) * 10 ** (noiseDb / 20);
  return samples.map((sample) => ((sample + level * (2 * random() - 1)) / peak) * 0.5);
}
