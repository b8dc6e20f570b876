import type { Language } from '@jyutsing/contracts/transcript';
import { JYUTPING_ONSETS, JYUTPING_RIMES, parseSyllable } from '@jyutsing/text/syllables/jyutping';
import { PINYIN_ONSETS, PINYIN_RIMES, PINYIN_TONES, parsePinyin } from '@jyutsing/text/syllables/pinyin';
import { ARPABET_PHONES } from './arpabet.ts';
import { confusableSounds } from './confusable-sounds.ts';
import { symbolCount } from './labels.ts';
import type { AcousticLabels, Posteriors } from './types.ts';

/**
 * Error model of a simulated recognizer. Each choice is a Gaussian observation of the right answer
 * among its alternatives, and the posteriors are exact for that observation; `…Acuity` is the
 * distance in standard deviations: 2 gives errors in about a quarter of tones, 3.5 in about one of
 * thirty.
 */
export type SimulationOptions = {
  toneAcuity: number;
  segmentAcuity: number;
  /** Share of syllables whose rime is nearly too weak to be recognized. */
  missedShare: number;
  /** Number of spurious weak rimes per syllable. */
  ghostShare: number;
  /** Source of random numbers from 0 to 1. */
  random: () => number;
};

/**
 * Makes the labels of a language with the sounds in the project's order, for tests and for tuning
 * without an acoustic model.
 */
export function labelsFor(language: Language, frameMs = 30): AcousticLabels {
  const empty = { frameMs, onsets: [], rimes: [], tones: 0, phones: [] };
  if (language === 'english') return { ...empty, phones: ARPABET_PHONES };
  if (language === 'mandarin') return { ...empty, onsets: PINYIN_ONSETS, rimes: PINYIN_RIMES, tones: PINYIN_TONES };
  return { ...empty, onsets: JYUTPING_ONSETS, rimes: JYUTPING_RIMES, tones: CANTONESE_TONES };
}

const CANTONESE_TONES = 6;
const FLOOR_P = 1e-4;

/**
 * Simulates peaky CTC posteriors of units (jyutping, pinyin or phones, as in the labels) spoken at
 * five syllables or twelve phones a second. Skips units outside the language.
 */
export function syntheticPosteriors(
  units: readonly string[],
  labels: AcousticLabels,
  options: SimulationOptions,
): Posteriors {
  const { random } = options;
  const frames = createFrames(labels);
  frames.silence(3 + Math.floor(random() * 8));
  for (const unit of units) {
    if (labels.phones.length > 0) speakPhone(unit, labels, options, frames);
    else speakSyllable(unit, labels, options, frames);
  }
  frames.silence(3 + Math.floor(random() * 8));
  return frames.posteriors();
}

type Frames = {
  push(masses: ReadonlyMap<number, number>, tone?: readonly number[]): void;
  silence(count: number): void;
  posteriors(): Posteriors;
};

function createFrames(labels: AcousticLabels): Frames {
  const width = symbolCount(labels);
  const symbols: number[][] = [];
  const tones: number[][] = [];
  const flat = Array.from({ length: labels.tones }, () => 1 / labels.tones);
  const push: Frames['push'] = (masses, tone = flat) => {
    const row = Array.from({ length: width }, () => FLOOR_P / width);
    for (const [column, mass] of masses) row[column] = (row[column] ?? 0) + mass;
    const blankShare = 1 - row.reduce((sum, p) => sum + p, 0);
    row[0] = Math.max((row[0] ?? 0) + blankShare, FLOOR_P / width);
    const total = row.reduce((sum, p) => sum + p, 0);
    symbols.push(row.map((p) => Math.log(p / total)));
    tones.push(tone.map((p) => Math.log(Math.max(p, 1e-6))));
  };
  return {
    push,
    silence(count) {
      for (let i = 0; i < count; i++) push(new Map([[0, 0.999]]));
    },
    posteriors: () => ({
      frameCount: symbols.length,
      symbolLogp: Float32Array.from(symbols.flat()),
      toneLogp: Float32Array.from(tones.flat()),
    }),
  };
}

function speakSyllable(written: string, labels: AcousticLabels, options: SimulationOptions, frames: Frames): void {
  const { random } = options;
  const syllable = labels.tones === PINYIN_TONES ? parsePinyin(written) : parseSyllable(written);
  if (syllable === null) return;
  const firstRime = 1 + labels.onsets.length;
  if (syllable.onset !== '') {
    frames.push(scaled(observe(syllable.onset, labels.onsets, 1, labels, options), 0.97));
  } else if (random() < options.ghostShare) {
    frames.push(scaled(observe('h', labels.onsets, 1, labels, options), 0.3));
  }
  frames.silence(Math.floor(random() * 2));
  const rime = observe(syllable.rime, labels.rimes, firstRime, labels, options);
  const tone = observeTone(syllable.tone, labels, options);
  const strength = random() < options.missedShare ? 0.05 + 0.4 * random() : 0.98;
  const length = 1 + Math.floor(random() * 2);
  for (let i = 0; i < length; i++) frames.push(scaled(rime, i === 0 ? strength : strength * 0.7), tone);
  frames.silence(1 + Math.floor(random() * 3));
  if (random() < options.ghostShare) {
    const ghost = labels.rimes[Math.floor(random() * labels.rimes.length)] ?? '';
    const masses = observe(ghost, labels.rimes, firstRime, labels, options);
    frames.push(scaled(masses, 0.5 * random()), observeTone(1, labels, options));
    frames.silence(1);
  }
}

function speakPhone(phone: string, labels: AcousticLabels, options: SimulationOptions, frames: Frames): void {
  const { random } = options;
  if (!labels.phones.includes(phone)) return;
  const masses = observe(phone, labels.phones, 1, labels, options);
  const strength = random() < options.missedShare ? 0.05 + 0.4 * random() : 0.98;
  const length = 1 + Math.floor(random() * 2);
  for (let i = 0; i < length; i++) frames.push(scaled(masses, i === 0 ? strength : strength * 0.7));
  frames.silence(1 + Math.floor(random() * 2));
  if (random() < options.ghostShare) {
    const ghost = labels.phones[Math.floor(random() * labels.phones.length)] ?? '';
    frames.push(scaled(observe(ghost, labels.phones, 1, labels, options), 0.5 * random()));
    frames.silence(1);
  }
}

function observe(
  truth: string,
  names: readonly string[],
  firstColumn: number,
  labels: AcousticLabels,
  options: SimulationOptions,
): Map<number, number> {
  const rivals = new Set([truth]);
  for (const group of confusableSounds(labels)) if (group.includes(truth)) group.forEach((name) => rivals.add(name));
  const rivalNames = [...rivals].filter((name) => names.includes(name));
  const masses = posteriorOf(rivalNames.length, rivalNames.indexOf(truth), options.segmentAcuity, options.random);
  return new Map(rivalNames.map((name, index) => [firstColumn + names.indexOf(name), masses[index] ?? 0]));
}

function observeTone(truth: number, labels: AcousticLabels, options: SimulationOptions): number[] {
  return posteriorOf(labels.tones, truth - 1, options.toneAcuity, options.random);
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
