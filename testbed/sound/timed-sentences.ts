import { createRealFft } from '@jyutsing/numeric/real-fft';
import type { Sound } from './audio.ts';
import { resample, speak, toJyutping } from './espeak-speech.ts';

/** A sentence of a sound, and the time at which its first sample is. */
export type TimedSentence = { text: string; startMs: number };

/**
 * A place at which a sentence was found; `likeness` is 1 for the same samples, whatever their
 * level.
 */
export type FoundSentence = { sentence: number; startMs: number; likeness: number };

/** The beginning of a sentence that is searched for; a sentence may be cut off after it. */
const SOUGHT_MS = 1_000;
/** Speech of a telephone codec stays above this; other sentences stay below. */
const LEAST_LIKENESS = 0.5;
/** Two places of one sentence are further apart than this. */
const APART_MS = 400;
/** Softer parts count as silence, in which every sound would be alike. */
const SILENCE_LEVEL = 1e-3;

/**
 * Speaks Cantonese sentences at stated times, without the silence that espeak-ng puts before them.
 * The sound lasts `durationMs`; a sentence must end before the next begins.
 */
export async function speakAt(
  sentences: readonly TimedSentence[],
  durationMs: number,
  sampleRateHz = 48_000,
): Promise<Sound> {
  const samples = new Float32Array(Math.round((durationMs * sampleRateHz) / 1_000));
  for (const { text, startMs } of sentences) {
    const spoken = await speak(toJyutping(text));
    const speech = withoutLead(resample(spoken.channels[0]!, spoken.sampleRateHz, sampleRateHz));
    samples.set(speech, Math.round((startMs * sampleRateHz) / 1_000));
  }
  return { sampleRateHz, channels: [samples] };
}

function withoutLead(samples: Float32Array): Float32Array {
  const first = samples.findIndex((sample) => Math.abs(sample) > SILENCE_LEVEL * 10);
  return samples.subarray(first, samples.findLastIndex((sample) => Math.abs(sample) > SILENCE_LEVEL) + 1);
}

/**
 * Finds the sentences of `original` in another mono sound of the same rate, in the order of their
 * times, by normalized cross-correlation with their first second. A sentence that is not there is
 * not in the answer, and one that is there twice is in it twice.
 */
export function findSentences(
  sound: Float32Array,
  { original, sentences }: { original: Sound; sentences: readonly TimedSentence[] },
): FoundSentence[] {
  // Half the rate holds all that tells sentences apart, and takes half the time.
  const sampleRateHz = original.sampleRateHz / 2;
  const clean = halve(original.channels[0]!);
  const length = Math.round((SOUGHT_MS * sampleRateHz) / 1_000);
  const correlate = createCorrelator(halve(sound), length);
  return sentences
    .flatMap(({ startMs }, sentence) => {
      const from = Math.round((startMs * sampleRateHz) / 1_000);
      const likeness = correlate(clean.subarray(from, from + length));
      return peaksOf(likeness, (APART_MS * sampleRateHz) / 1_000).map((at) => ({
        sentence,
        startMs: ((at - length) * 1_000) / sampleRateHz,
        likeness: likeness[at]!,
      }));
    })
    .sort((a, b) => a.startMs - b.startMs);
}

/** Halves the sample rate and takes away what is below the voice: hum, and direct current. */
function halve(samples: Float32Array): Float32Array {
  const halved = new Float32Array(samples.length >> 1);
  let before = 0;
  let voice = 0;
  for (let at = 0; at < halved.length; at += 1) {
    const sample = (samples[2 * at]! + samples[2 * at + 1]!) / 2;
    voice = sample - before + 0.94 * voice;
    before = sample;
    halved[at] = voice;
  }
  return halved;
}

/** Returns a function that compares a template with the sound at every lag from −`length` on. */
function createCorrelator(sound: Float32Array, length: number): (template: Float32Array) => Float64Array {
  const lags = sound.length + length;
  const fft = createRealFft(2 ** Math.ceil(Math.log2(lags + length)));
  const bins = fft.size / 2 + 1;
  const transform = (samples: Float32Array, at: number) => {
    const signal = new Float64Array(fft.size);
    signal.set(samples, at);
    const [re, im] = [new Float64Array(bins), new Float64Array(bins)];
    fft.forward(signal, re, im);
    return { re, im };
  };
  const energies = new Float64Array(fft.size);
  for (let at = 1; at < fft.size; at += 1) {
    const sample = sound[at - 1 - length] ?? 0;
    energies[at] = energies[at - 1]! + (at - 1 < lags ? sample * sample : 0);
  }
  const spectrum = transform(sound, length);
  const floor = length * SILENCE_LEVEL ** 2;
  return (template) => {
    const { re, im } = transform(template, 0);
    for (let bin = 0; bin < bins; bin += 1) {
      const [a, b, c, d] = [spectrum.re[bin]!, spectrum.im[bin]!, re[bin]!, im[bin]!];
      re[bin] = a * c + b * d;
      im[bin] = b * c - a * d;
    }
    const products = new Float64Array(fft.size);
    fft.inverse(re, im, products);
    const norm = Math.sqrt(template.reduce((sum, sample) => sum + sample * sample, 0));
    const likeness = new Float64Array(lags);
    for (let lag = 0; lag < lags; lag += 1) {
      const energy = energies[Math.min(lag + length, fft.size - 1)]! - energies[lag]!;
      // The sign does not count: a sound upside down is the same to the ear.
      likeness[lag] = Math.abs(products[lag]!) / (norm * Math.sqrt(energy + floor));
    }
    return likeness;
  };
}

function peaksOf(likeness: Float64Array, apart: number): number[] {
  const peaks: number[] = [];
  for (let at = 0; at < likeness.length; at += 1) {
    if (likeness[at]! < LEAST_LIKENESS) continue;
    const last = peaks.at(-1);
    if (last === undefined || at - last > apart) peaks.push(at);
    else if (likeness[at]! > likeness[last]!) peaks[peaks.length - 1] = at;
  }
  return peaks;
}
