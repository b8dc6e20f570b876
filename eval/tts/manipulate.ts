// Changes to sound that say nothing about who made it. All sound is mono at `JUDGED_RATE_HZ`.
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { createOpusDecoder } from '#packages/audio/opus-decoder.ts';
import { createTempoChanger } from '#packages/audio/encoding/tempo.ts';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createPacketEncoder } from '#packages/audio/encoding/codec-packets.ts';
import { createRealFft } from '#packages/numeric/real-fft.ts';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { JUDGED_RATE_HZ } from './human-likeness.ts';

type Random = () => number;

/** Reflections of a room: decaying by 60 dB over `seconds`, their sum `wetDb` below the sound. */
export type Reverberation = { seconds: number; wetDb: number; reflectionsPerSecond: number };

/** Adds sparse reflections of random sign (velvet noise, Järveläinen and Karjalainen 2007). */
export function reverberate(sound: Float32Array, room: Reverberation, random: Random): Float32Array {
  const step = JUDGED_RATE_HZ / room.reflectionsPerSecond;
  const taps: { delay: number; gain: number }[] = [];
  for (let index = 0; index < room.seconds * room.reflectionsPerSecond; index += 1) {
    // No reflection comes back sooner than after 2 ms.
    const delay = Math.round(JUDGED_RATE_HZ * 0.002 + (index + random()) * step);
    const decay = 10 ** ((-3 * delay) / JUDGED_RATE_HZ / room.seconds);
    taps.push({ delay, gain: (random() < 0.5 ? -1 : 1) * decay });
  }
  const power = taps.reduce((sum, { gain }) => sum + gain * gain, 1e-9);
  const scale = 10 ** (room.wetDb / 20) / Math.sqrt(power);
  const wet = sound.slice();
  for (const { delay, gain } of taps)
    for (let at = delay; at < wet.length; at += 1) wet[at]! += scale * gain * sound[at - delay]!;
  return wet;
}

/** Frequencies between which gains of an equalizer are interpolated, Hz. */
const EQUALIZER_HZ = [0, 200, 600, 1_500, 3_500, 8_000];

const octave = (hz: number): number => Math.log2(hz + 100);

/** Applies a gain at each of six frequencies, in decibels. */
export function equalize(sound: Float32Array, gainsDb: readonly number[]): Float32Array {
  return filter(sound, (hz) => {
    const above = Math.max(1, EQUALIZER_HZ.findIndex((edge) => edge >= hz) % EQUALIZER_HZ.length);
    const [low, high] = [octave(EQUALIZER_HZ[above - 1]!), octave(EQUALIZER_HZ[above]!)];
    const share = Math.min(1, (octave(hz) - low) / (high - low));
    return gainsDb[above - 1]! + share * (gainsDb[above]! - gainsDb[above - 1]!);
  });
}

export const randomGains = (mostDb: number, random: Random): number[] =>
  EQUALIZER_HZ.map(() => mostDb * (2 * random() - 1));

/** Removes what lies outside a band, as telephones do. */
export function limitBand(sound: Float32Array, lowHz: number, highHz: number): Float32Array {
  return filter(sound, (hz) => (hz < lowHz ? -4 * (lowHz - hz) ** 0.5 : hz > highHz ? -3 * (hz - highHz) ** 0.5 : 0));
}

const transforms = new Map<number, ReturnType<typeof createRealFft>>();

function transformOf(size: number): ReturnType<typeof createRealFft> {
  const transform = transforms.get(size) ?? createRealFft(size);
  transforms.set(size, transform);
  return transform;
}

/** Filters a whole clip at once, with zero phase. */
function filter(sound: Float32Array, gainDbAt: (hz: number) => number): Float32Array {
  const fft = transformOf(2 ** Math.ceil(Math.log2(Math.max(64, 2 * sound.length))));
  const signal = new Float64Array(fft.size);
  signal.set(sound);
  const [re, im] = [new Float64Array(fft.size / 2 + 1), new Float64Array(fft.size / 2 + 1)];
  fft.forward(signal, re, im);
  for (let k = 0; k < re.length; k += 1) {
    const gain = 10 ** (gainDbAt((k * JUDGED_RATE_HZ) / fft.size) / 20);
    re[k]! *= gain;
    im[k]! *= gain;
  }
  fft.inverse(re, im, signal);
  return Float32Array.from(signal.subarray(0, sound.length));
}

/** Adds noise whose power falls by `tiltDb` an octave above 100 Hz, at a ratio to the sound. */
export function addNoiseAt(sound: Float32Array, ratioDb: number, tiltDb: number, random: Random): Float32Array {
  const white = Float32Array.from(sound, () => random() + random() + random() - 1.5);
  const noise = filter(white, (hz) => -tiltDb * Math.log2(Math.max(hz, 100) / 100));
  const gain = (rootMeanSquare(sound, 0) / (rootMeanSquare(noise, 0) + 1e-12)) * 10 ** (-ratioDb / 20);
  return sound.map((sample, i) => sample + gain * noise[i]!);
}

/** Codes and decodes with Opus. The result begins a few milliseconds later or earlier. */
export function throughOpus(sound: Float32Array, bitRate: number): Float32Array {
  const settings = { encoder: 'libopus', sampleRateHz: JUDGED_RATE_HZ, samples: 's16', bitRate } as const;
  // The greatest effort takes most of the time of a training set, and is not heard.
  const encoder = createPacketEncoder({ ...settings, options: { compression_level: '2' } });
  const decoder = createOpusDecoder(JUDGED_RATE_HZ);
  try {
    const within = sound.map((sample) => Math.max(-1, Math.min(1, sample)));
    const packets = [...encoder.push(within), ...encoder.finish()];
    return decoder.decode(packets.map(({ data }) => data)).slice(0, sound.length);
  } finally {
    encoder.close();
    decoder.close();
  }
}

const MU = 255;

/** Codes with the μ-law of telephones, 8 bits a sample at 8 kHz (ITU-T G.711). */
export function throughTelephone(sound: Float32Array): Float32Array {
  const narrow = resample(limitBand(sound, 300, 3_400), JUDGED_RATE_HZ, 8_000);
  const coded = narrow.map((sample) => {
    const level = Math.log1p(MU * Math.min(1, Math.abs(sample))) / Math.log1p(MU);
    return (Math.sign(sample) * ((1 + MU) ** (Math.round(level * 127) / 127) - 1)) / MU;
  });
  const wide = resample(coded, 8_000, JUDGED_RATE_HZ);
  return sound.map((_, i) => wide[i] ?? 0);
}

/** Speaks faster or slower; pitch and formants stay. */
export async function changeTempo(sound: Float32Array, tempo: number): Promise<Float32Array> {
  const changer = await createTempoChanger(tempo, JUDGED_RATE_HZ);
  try {
    return joinSamples([changer.push(sound), changer.flush()]);
  } finally {
    changer.close();
  }
}

/** Scales to a peak. */
export function withPeak(sound: Float32Array, peak: number): Float32Array {
  const highest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-6);
  return sound.map((sample) => (sample * peak) / highest);
}
