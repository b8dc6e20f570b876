// Changes to recordings that make connected, varied and degraded speech of them. All sound is mono
// at 16 kHz, −1..1.
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { createTempoChanger } from '#packages/audio/encoding/tempo.ts';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ as RATE_HZ } from '@jyutsing/contracts/recognizer';
import { joinSamples } from '@jyutsing/audio/join-samples';

export type Random = () => number;
export const uniform = (random: Random, from: number, to: number): number => from + (to - from) * random();
export const pick = <Item>(random: Random, list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;

const WINDOW = RATE_HZ / 100;
/** Share of the loudest window below which sound at both ends is cut off. */
const QUIET_SHARE = 0.06;

/** Cuts off the quiet ends, in windows of 10 ms. */
export function trimQuietEnds(sound: Float32Array): Float32Array {
  const levels: number[] = [];
  for (let at = 0; at + WINDOW <= sound.length; at += WINDOW)
    levels.push(rootMeanSquare(sound.subarray(at, at + WINDOW), 0));
  const threshold = Math.max(0, ...levels) * QUIET_SHARE;
  const first = levels.findIndex((level) => level > threshold);
  const last = levels.findLastIndex((level) => level > threshold);
  return first < 0 ? sound : sound.slice(first * WINDOW, (last + 1) * WINDOW);
}

/** Scales to a peak. */
export function withPeak(sound: Float32Array, peak: number): Float32Array {
  const highest = sound.reduce((top, value) => Math.max(top, Math.abs(value)), 1e-6);
  return sound.map((value) => (value / highest) * peak);
}

/** Joins pieces so that each fades into the next over `overlapMs`. */
export function joinTightly(pieces: readonly Float32Array[], overlapMs: number): Float32Array {
  const overlap = Math.round((overlapMs * RATE_HZ) / 1_000);
  const joined = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0) + overlap);
  let at = 0;
  for (const piece of pieces) {
    for (const [index, value] of piece.entries()) {
      joined[at + index]! += value * Math.min(1, (index + 1) / overlap, (piece.length - index) / overlap);
    }
    at += Math.max(0, piece.length - overlap);
  }
  return joined.slice(0, at);
}

/** Multiplies formants and pitch by `shift`, and the rate of speech by `tempo`. */
export async function revoice(sound: Float32Array, shift: number, tempo: number): Promise<Float32Array> {
  const changer = await createTempoChanger(tempo / shift, RATE_HZ);
  try {
    const shifted = changer.push(resample(sound, RATE_HZ * shift, RATE_HZ));
    return joinSamples([shifted, changer.flush()]);
  } finally {
    changer.close();
  }
}

/** Cuts speech into pieces of 0.22 to 0.6 s, and joins them tightly in another order. */
export function shuffled(sound: Float32Array, random: Random): Float32Array {
  const pieces: Float32Array[] = [];
  for (let at = 0; at < sound.length; at += pieces.at(-1)!.length) {
    pieces.push(sound.slice(at, at + Math.round(uniform(random, 0.22, 0.6) * RATE_HZ)));
  }
  const order = pieces.map((piece) => ({ piece, key: random() })).sort((a, b) => a.key - b.key);
  return joinTightly(
    order.map(({ piece }) => piece),
    uniform(random, 15, 50),
  );
}

/** Adds a telephone's channel, a room or noise to a third of the sounds; the others stay. */
export function degraded(sound: Float32Array, random: Random): Float32Array {
  const kind = random();
  if (kind < 0.1) return throughTelephone(sound);
  if (kind < 0.22) return inRoom(sound, random);
  return kind < 0.33 ? withNoise(sound, uniform(random, 8, 25), random) : sound;
}

/** One-pole low and high passes. */
function throughTelephone(sound: Float32Array): Float32Array {
  let low = 0;
  let high = 0;
  return sound.map((value) => {
    const before = low;
    low += 0.7 * (value - low);
    high = 0.9 * (high + low - before);
    return high;
  });
}

/** Sparse reflections that die away within a quarter of a second. */
function inRoom(sound: Float32Array, random: Random): Float32Array {
  const decay = uniform(random, 300, 1_600);
  const shaped = sound.slice();
  for (let delay = 1; delay < RATE_HZ / 4; delay += 1 + Math.floor(delay / 400)) {
    const gain = gaussian(random) * 0.1 * Math.exp(-delay / decay);
    for (let at = delay; at < shaped.length; at++) shaped[at]! += gain * sound[at - delay]!;
  }
  return shaped;
}

function withNoise(sound: Float32Array, ratioDb: number, random: Random): Float32Array {
  const level = rootMeanSquare(sound, 0) * 10 ** (-ratioDb / 20);
  return sound.map((value) => value + level * gaussian(random));
}

/** About a normal distribution of variance 1: a sum of four uniform values. */
const gaussian = (random: Random): number => (random() + random() + random() + random() - 2) * Math.sqrt(3);
