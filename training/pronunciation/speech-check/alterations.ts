import { joinSamples } from '@jyutsing/audio/join-samples';
import { analyzeSpeech } from '@jyutsing/audio/vocoder/analyze-speech';
import { createRandom } from '#packages/numeric/random.ts';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { createResynthesizer } from '@jyutsing/audio/vocoder/resynthesize';
import { ENVELOPE_BINS, NOISE_BANDS, VOCODER_SAMPLE_RATE_HZ } from '@jyutsing/audio/vocoder/speech-frames';

const RATE_HZ = 16_000;

/**
 * Mixes `other` into `sound` at a ratio of `ratioDb`, by the power of the louder half of the sound.
 */
export function mixAt(sound: Float32Array, other: Float32Array, ratioDb: number): Float32Array {
  const gain = Math.sqrt(loudPower(sound) / (loudPower(other) + 1e-12)) * 10 ** (-ratioDb / 20);
  return sound.map((sample, i) => sample + gain * (other[i % other.length] ?? 0));
}

/** Mean power of the louder half of 20 ms frames, to exclude pauses. */
function loudPower(samples: Float32Array): number {
  const powers: number[] = [];
  for (let at = 0; at + 320 <= samples.length; at += 320) {
    let power = 0;
    for (let i = at; i < at + 320; i += 1) power += samples[i]! ** 2 / 320;
    powers.push(power);
  }
  const loud = powers.sort((a, b) => b - a).slice(0, Math.ceil(powers.length / 2));
  return loud.reduce((sum, power) => sum + power, 0) / Math.max(1, loud.length);
}

/** Simulates a telephone at 8 kHz. */
export const byTelephone = (samples: Float32Array): Float32Array =>
  resample(resample(samples, RATE_HZ, 8_000), 8_000, RATE_HZ);

/** Overdrives the sound until about `share` of the loudest range is clipped. */
export function clipped(samples: Float32Array, share: number): Float32Array {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-6);
  const limit = peak * (1 - share);
  return samples.map((sample) => Math.max(-limit, Math.min(limit, sample)));
}

/**
 * Simulates distance in a room: 250 echoes that decay within `seconds`, and half of the direct
 * sound.
 */
export function inRoom(samples: Float32Array, seconds: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const output = samples.map((sample) => 0.5 * sample);
  for (let echo = 0; echo < 250; echo += 1) {
    const delay = Math.round(random() * seconds * RATE_HZ);
    const gain = (random() < 0.5 ? -0.15 : 0.15) * Math.exp((-5 * delay) / (seconds * RATE_HZ));
    for (let i = delay; i < output.length; i += 1) output[i]! += gain * samples[i - delay]!;
  }
  return output;
}

/** Converts speech to a whisper: the same formants without voicing. */
export function whispered(samples: Float32Array, seed: number): Float32Array {
  const count = Math.ceil(samples.length / 80) + 1;
  const frames = analyzeSpeech(samples, RATE_HZ, { pitchHz: new Float32Array(count) });
  const voice = createResynthesizer({ seed });
  const pieces: Float32Array[] = [];
  for (let frame = 0; frame < frames.count; frame += 1) {
    pieces.push(
      voice.push({
        pitchHz: 0,
        envelopeDb: frames.envelopeDb.subarray(frame * ENVELOPE_BINS, (frame + 1) * ENVELOPE_BINS),
        noiseShares: frames.noiseShares.subarray(frame * NOISE_BANDS, (frame + 1) * NOISE_BANDS),
      }),
    );
  }
  pieces.push(voice.flush());
  // Whispering lacks the low frequencies of the glottis.
  const sound = resample(joinSamples(pieces), VOCODER_SAMPLE_RATE_HZ, RATE_HZ);
  return sound.map((sample, i) => sample - 0.8 * (sound[i - 1] ?? 0));
}

/** The loudest piece of the given length, with soft edges: a syllable without its context. */
export function loudestPiece(samples: Float32Array, durationMs: number): Float32Array {
  const length = Math.min(samples.length, Math.round((durationMs * RATE_HZ) / 1_000));
  let power = 0;
  let best = { power: -1, from: 0 };
  for (let i = 0; i < samples.length; i += 1) {
    power += samples[i]! ** 2 - (i >= length ? samples[i - length]! ** 2 : 0);
    if (i >= length - 1 && power > best.power) best = { power, from: i - length + 1 };
  }
  const edge = RATE_HZ / 100;
  return samples
    .slice(best.from, best.from + length)
    .map((sample, i) => sample * Math.min(1, (i + 1) / edge, (length - i) / edge));
}

/**
 * Simulates another microphone: a band limit of 3 to 8 kHz and a slope of up to ±6 dB per octave.
 */
export function colored(samples: Float32Array, seed: number): Float32Array {
  const random = createRandom(seed);
  const limitedHz = Math.round(6_000 + 10_000 * random());
  const limited = resample(resample(samples, RATE_HZ, limitedHz), limitedHz, RATE_HZ);
  const slope = 1.8 * random() - 0.9;
  let before = 0;
  return limited.map((sample) => {
    // A zero (brighter) or a pole (darker) near the origin of the spectrum.
    const value = sample - slope * before;
    before = slope > 0 ? sample : value;
    return value * (1 - Math.abs(slope) * 0.5);
  });
}
