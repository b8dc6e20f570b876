import { createRealFft } from '#packages/numeric/real-fft.ts';
import * as change from '../../eval/tts/manipulate.ts';

type Random = () => number;

const uniform = (random: Random, from: number, to: number): number => from + (to - from) * random();
const FRAME = 512;
const HOP = FRAME / 2;
const FFT = createRealFft(FRAME);
/** Share of the frames of a recording that count as its background. */
const QUIET_SHARE = 0.08;

/** Mean power spectrum of the quietest frames of a recording, and the power of its speech. */
export type Background = { power: Float64Array; speechPower: number };

/** The background of a recording, to be put behind other voices. */
export function backgroundOf(sound: Float32Array): Background {
  const frames: { power: Float64Array; sum: number }[] = [];
  const signal = new Float64Array(FRAME);
  for (let at = 0; at + FRAME <= sound.length; at += HOP) {
    for (let i = 0; i < FRAME; i += 1) signal[i] = sound[at + i]! * hann(i);
    const [re, im] = [new Float64Array(HOP + 1), new Float64Array(HOP + 1)];
    FFT.forward(signal, re, im);
    const power = re.map((x, k) => x * x + im[k]! * im[k]!);
    frames.push({ power, sum: power.reduce((a, b) => a + b, 0) });
  }
  const sorted = frames.toSorted((a, b) => a.sum - b.sum);
  const quiet = sorted.slice(0, Math.max(1, Math.floor(QUIET_SHARE * sorted.length)));
  const loud = sorted[Math.floor(0.9 * sorted.length)]?.sum ?? 1;
  const power = new Float64Array(HOP + 1);
  for (const frame of quiet) for (let k = 0; k <= HOP; k += 1) power[k]! += frame.power[k]! / quiet.length;
  return { power, speechPower: loud };
}

/** Puts a background behind a voice, at the ratio that it had to its own voice. */
export function addBackground(sound: Float32Array, background: Background, random: Random): Float32Array {
  const gain = Math.sqrt(backgroundOf(sound).speechPower / (background.speechPower + 1e-12));
  const noisy = sound.slice();
  const [re, im] = [new Float64Array(HOP + 1), new Float64Array(HOP + 1)];
  const signal = new Float64Array(FRAME);
  for (let at = -HOP; at < sound.length; at += HOP) {
    for (let k = 1; k < HOP; k += 1) {
      // Noise of this spectrum: its bins are normally distributed.
      const size = gain * Math.sqrt(-background.power[k]! * Math.log(1 - random()));
      const phase = 2 * Math.PI * random();
      re[k] = size * Math.cos(phase);
      im[k] = size * Math.sin(phase);
    }
    FFT.inverse(re, im, signal);
    // Windows whose squares sum to 1 keep the power of frames that are independent; the power of
    // the analysis window is 3/8.
    for (let i = 0; i < FRAME; i += 1)
      if (at + i >= 0 && at + i < noisy.length) noisy[at + i]! += signal[i]! * Math.sqrt(hann(i) / 0.375);
  }
  return noisy;
}

const hann = (i: number): number => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME);

/**
 * A random room, background, equalizer, band limit, codec and level. They are drawn alike for
 * people and machines, but that machines, which have no background, more often get that of a person
 * and a codec.
 */
export function augment(
  clip: Float32Array,
  { isHuman, background }: { isHuman: boolean; background: Background },
  random: Random,
): Float32Array {
  let sound = change.withPeak(clip, uniform(random, 0.2, 0.9));
  if (random() < (isHuman ? 0.3 : 0.7)) sound = addBackground(sound, background, random);
  if (random() < 0.55) {
    const room = { seconds: uniform(random, 0.1, 0.8), wetDb: uniform(random, -18, -1) };
    sound = change.reverberate(sound, { ...room, reflectionsPerSecond: 600 }, random);
  }
  if (random() < 0.3) sound = change.addNoiseAt(sound, uniform(random, 10, 40), uniform(random, 0, 6), random);
  if (random() < 0.5) sound = change.equalize(sound, change.randomGains(10, random));
  if (random() < 0.2) sound = change.limitBand(sound, uniform(random, 60, 300), uniform(random, 3_300, 7_500));
  if (random() < (isHuman ? 0.35 : 0.65)) {
    sound = change.throughOpus(change.withPeak(sound, 0.8), Math.round(uniform(random, 14_000, 40_000)));
  }
  return sound;
}
