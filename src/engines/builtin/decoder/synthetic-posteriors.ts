import { parseSyllable } from '#language/jyutping.ts';
import { symbolCount } from './slot-hearings.ts';
import type { AcousticLabels, Posteriors } from './types.ts';

/**
 * How an imaginary listener errs. Each choice is a Gaussian observation of the right answer among its rivals, and the
 * posteriors are the exact ones for that observation; `…Acuity` is the distance in standard deviations, so that 2
 * errs in about a quarter of tones and 3.5 in about one of thirty.
 */
export type ListenerOptions = {
  toneAcuity: number;
  segmentAcuity: number;
  /** Share of syllables whose rime is hardly heard at all. */
  missedShare: number;
  /** Spurious weak rimes per syllable. */
  ghostShare: number;
  /** Source of randomness, 0 to 1. */
  random: () => number;
};

/** Labels in the order of the built-in acoustic model's, for tests and for tuning without one. */
export function labelsFor(onsets: readonly string[], rimes: readonly string[], frameMs = 30): AcousticLabels {
  return { frameMs, onsets, rimes };
}

/** Sounds that are mistaken for one another. */
const CONFUSED = [
  'n l',
  'ng h',
  'b p',
  'd t',
  'g k gw kw',
  'z c s',
  'f w h',
  'm n ng',
  'j z',
  'aa a',
  'aai ai oi',
  'aau au ou',
  'aam am',
  'aan an',
  'aang ang aan',
  'aap ap',
  'aat at aak',
  'aak ak aat',
  'e i ei',
  'eng ing',
  'ek ik',
  'im in am',
  'ip it ap',
  'in ing an',
  'it ik at',
  'o ou u',
  'on ong',
  'ot ok',
  'u ou',
  'un ung',
  'ut uk',
  'oe o',
  'oeng ong eng',
  'oek ok',
  'eoi oi ui',
  'eon un an',
  'eot at ut',
  'yu i u',
  'yun in eon',
  'yut it eot',
  'iu au i',
  'm ng',
  'am an ang',
  'ap at ak',
  'um am',
  'ui oi',
  'ai ei',
].map((group) => group.split(' '));

const FLOOR_P = 1e-4;

/** Peaky CTC posteriors of syllables spoken at five a second, as the imaginary listener hears them. */
export function syntheticPosteriors(
  syllables: readonly string[],
  labels: AcousticLabels,
  listener: ListenerOptions,
): Posteriors {
  const { random } = listener;
  const width = symbolCount(labels);
  const frames: number[][] = [];
  const tones: number[][] = [];
  const push = (masses: ReadonlyMap<number, number>, tone: number[]): void => {
    const row = Array.from({ length: width }, () => FLOOR_P / width);
    for (const [column, mass] of masses) row[column] = (row[column] ?? 0) + mass;
    const rest = 1 - row.reduce((sum, p) => sum + p, 0);
    row[0] = Math.max((row[0] ?? 0) + rest, FLOOR_P / width);
    const total = row.reduce((sum, p) => sum + p, 0);
    frames.push(row.map((p) => Math.log(p / total)));
    tones.push(tone.map((p) => Math.log(Math.max(p, 1e-6))));
  };
  const flat = Array.from({ length: 6 }, () => 1 / 6);
  const silence = (count: number): void => {
    for (let i = 0; i < count; i++) push(new Map([[0, 0.999]]), flat);
  };
  silence(3 + Math.floor(random() * 8));
  for (const written of syllables) {
    const syllable = parseSyllable(written);
    if (syllable === null) continue;
    const firstRime = 1 + labels.onsets.length;
    if (syllable.onset !== '') {
      push(scaled(observe(syllable.onset, labels.onsets, 1, listener), 0.97), flat);
    } else if (random() < listener.ghostShare) {
      push(scaled(observe('h', labels.onsets, 1, listener), 0.3), flat);
    }
    silence(Math.floor(random() * 2));
    const rime = observe(syllable.rime, labels.rimes, firstRime, listener);
    const tone = observeTone(syllable.tone, listener);
    const strength = random() < listener.missedShare ? 0.05 + 0.4 * random() : 0.98;
    const length = 1 + Math.floor(random() * 2);
    for (let i = 0; i < length; i++) push(scaled(rime, i === 0 ? strength : strength * 0.7), tone);
    silence(1 + Math.floor(random() * 3));
    if (random() < listener.ghostShare) {
      const ghost = labels.rimes[Math.floor(random() * labels.rimes.length)] ?? '';
      push(scaled(observe(ghost, labels.rimes, firstRime, listener), 0.5 * random()), observeTone(1, listener));
      silence(1);
    }
  }
  silence(3 + Math.floor(random() * 8));
  return {
    frameCount: frames.length,
    symbolLogp: Float32Array.from(frames.flat()),
    toneLogp: Float32Array.from(tones.flat()),
  };
}

/** A repeatable source of randomness (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function observe(
  truth: string,
  names: readonly string[],
  firstColumn: number,
  listener: ListenerOptions,
): Map<number, number> {
  const rivals = new Set([truth]);
  for (const group of CONFUSED) if (group.includes(truth)) group.forEach((name) => rivals.add(name));
  const known = [...rivals].filter((name) => names.includes(name));
  const masses = posteriorOf(known.length, known.indexOf(truth), listener.segmentAcuity, listener.random);
  return new Map(known.map((name, index) => [firstColumn + names.indexOf(name), masses[index] ?? 0]));
}

function observeTone(truth: number, listener: ListenerOptions): number[] {
  return posteriorOf(6, truth - 1, listener.toneAcuity, listener.random);
}

function posteriorOf(size: number, truth: number, acuity: number, random: () => number): number[] {
  const logits = Array.from(
    { length: size },
    (_, index) => acuity * (gaussian(random) + (index === truth ? acuity : 0)),
  );
  const top = Math.max(...logits);
  const masses = logits.map((logit) => Math.exp(logit - top));
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return masses.map((mass) => mass / total);
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(Math.max(random(), 1e-12))) * Math.cos(2 * Math.PI * random());
}

function scaled(masses: Map<number, number>, factor: number): Map<number, number> {
  return new Map([...masses].map(([column, mass]) => [column, mass * factor]));
}
