import { createRandom } from '#packages/numeric/random.ts';

/** Sample rate of all synthesized notes. */
const NOTES_RATE_HZ = 16_000;

const TABLE = 1_024;

export type Random = () => number;

/** Inputs of a kind of sound: random numbers, and the output that it is added to. */
export type Studio = { random: Random; out: Float32Array; durationMs: number };

/** Adds a sound of its kind. */
export type Kind = (studio: Studio) => void;

export type Note = {
  startMs: number;
  durationMs: number;
  hz: number;
  level: number;
  /** Amplitudes of the partials 1, 2, … */
  partials: readonly number[];
  attackMs: number;
  /** Decay time to 1/e after the attack; Infinity sustains. */
  decayMs: number;
  releaseMs: number;
  vibratoHz?: number;
  vibratoSemitones?: number;
  tremoloDepth?: number;
  /** Begins so many semitones away and glides to its pitch in that time. */
  glideSemitones?: number;
  glideMs?: number;
};

export const semitones = (hz: number, count: number) => hz * 2 ** (count / 12);
export const between = (random: Random, low: number, high: number) => low + (high - low) * random();
export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
export const gauss = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Dies away to 1/e in that time. */
export const fading = (decayMs: number) => (ms: number) => Math.exp(-ms / decayMs);

/**
 * Makes `count` partials that fall by `slope` with their number; with `odd` every second one is
 * weak, as in reeds.
 */
export const falling = (count: number, slope: number, odd = false): number[] =>
  Array.from({ length: count }, (_, i) => (odd && i % 2 === 1 ? 0.1 : 1) / (i + 1) ** slope);

export function createStudio(seed: number, durationMs: number): Studio {
  const samples = Math.round((durationMs * NOTES_RATE_HZ) / 1_000);
  return { random: createRandom(seed), out: new Float32Array(samples), durationMs };
}

/** Adds a note; skips partials above the Nyquist frequency. */
export function playNote({ out }: Studio, note: Note): void {
  const { hz, level, partials, attackMs, decayMs, releaseMs } = note;
  const { vibratoHz = 0, vibratoSemitones = 0, tremoloDepth = 0, glideSemitones = 0, glideMs = 1 } = note;
  const audible = partials.slice(0, Math.max(1, Math.floor(7_200 / hz)));
  const total = Math.hypot(...audible);
  const table = Float32Array.from({ length: TABLE }, (_, i) =>
    audible.reduce(
      (sum, amplitude, p) => sum + (amplitude / total) * Math.sin((2 * Math.PI * (p + 1) * i) / TABLE + p * p),
      0,
    ),
  );
  const start = Math.round((note.startMs * NOTES_RATE_HZ) / 1_000);
  const length = Math.round(((note.durationMs + releaseMs) * NOTES_RATE_HZ) / 1_000);
  let phase = 0;
  let step = 0;
  let gain = 0;
  for (let i = 0; i < length && start + i < out.length; i += 1) {
    // Slow modulations are updated every millisecond (16 samples), inaudibly.
    if (i % 16 === 0) {
      const ms = (i * 1_000) / NOTES_RATE_HZ;
      const wave = Math.sin((2 * Math.PI * vibratoHz * ms) / 1_000);
      const bend = vibratoSemitones * wave * Math.min(1, ms / 300) + glideSemitones * Math.max(0, 1 - ms / glideMs);
      step = (semitones(hz, bend) * TABLE) / NOTES_RATE_HZ;
      const rise = Math.min(1, ms / Math.max(1, attackMs));
      const fall = Math.exp(-Math.max(0, ms - attackMs) / decayMs);
      const end = Math.max(0, Math.min(1, (note.durationMs + releaseMs - ms) / Math.max(1, releaseMs)));
      gain = level * rise * fall * end * (1 - tremoloDepth * (0.5 + 0.5 * wave));
    }
    if (start + i >= 0) out[start + i]! += gain * table[Math.floor(phase)]!;
    phase += step;
    if (phase >= TABLE) phase -= TABLE;
  }
}

/** Noise through one resonance (a two-pole filter), its level following `envelope(ms)`. */
export function blowNoise(
  { out, random }: Studio,
  {
    hz,
    widthHz,
    startMs,
    durationMs,
    level,
    envelope,
  }: {
    hz: number;
    widthHz: number;
    startMs: number;
    durationMs: number;
    level: number;
    envelope: (ms: number) => number;
  },
): void {
  const radius = Math.exp((-Math.PI * widthHz) / NOTES_RATE_HZ);
  const turn = 2 * radius * Math.cos((2 * Math.PI * hz) / NOTES_RATE_HZ);
  const scale = level * Math.sqrt(1 - radius * radius) * (1 - radius * radius);
  const start = Math.round((startMs * NOTES_RATE_HZ) / 1_000);
  const length = Math.round((durationMs * NOTES_RATE_HZ) / 1_000);
  let one = 0;
  let two = 0;
  let gain = 0;
  for (let i = 0; i < length && start + i < out.length; i += 1) {
    if (i % 16 === 0) gain = envelope((i * 1_000) / NOTES_RATE_HZ);
    const value = (random() * 2 - 1) * 3 + turn * one - radius * radius * two;
    two = one;
    one = value;
    if (start + i >= 0) out[start + i]! += scale * gain * value;
  }
}

/** Composes a tune from a scale, a tempo and a path: notes `{startMs, durationMs, hz}`. */
export function composeTune(
  { random, durationMs }: Studio,
  {
    lowHz,
    highHz,
    shortestMs,
    longestMs,
    legato,
  }: {
    lowHz: number;
    highHz: number;
    shortestMs: number;
    longestMs: number;
    legato: number;
  },
): { startMs: number; durationMs: number; hz: number }[] {
  const scale = pick(random, [
    [0, 2, 4, 5, 7, 9, 11],
    [0, 2, 3, 5, 7, 8, 10],
    [0, 2, 4, 7, 9],
    [0, 3, 5, 6, 7, 10],
  ]);
  const root = between(random, lowHz, semitones(lowHz, 12));
  const beatMs = between(random, shortestMs, longestMs);
  const range = Math.max(3, Math.floor(Math.log2(highHz / root) * scale.length));
  let place = Math.floor(random() * range);
  const notes: { startMs: number; durationMs: number; hz: number }[] = [];
  for (let startMs = between(random, 0, 100); startMs < durationMs;) {
    const lengthMs = beatMs * pick(random, [0.5, 1, 1, 1, 2]);
    if (random() > 0.1) {
      const octave = Math.floor(place / scale.length);
      const hz = semitones(root, 12 * octave + scale[place % scale.length]!);
      notes.push({ startMs, durationMs: lengthMs * legato, hz });
    }
    place = Math.min(range, Math.max(0, place + pick(random, [-3, -2, -1, -1, 0, 1, 1, 2, 3])));
    startMs += lengthMs;
  }
  return notes;
}

/** To a peak of 1, or silence as it is. */
export function normalize(samples: Float32Array): Float32Array {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak === 0 ? samples : samples.map((sample) => sample / peak);
}
