import type { SpeakerRegister } from '@jyutsing/contracts/pronunciation';
import type { ToneQuestion } from '#engines/builtin/pronunciation/types.ts';
import { carefulTraces, fluentTraces, follows, type ToneTrace } from './connected-speech.ts';
import { CONTOUR_POINTS, type Contour } from './measure-contour.ts';
import type { TonePosition, ToneModel, ToneShape } from './tone-model.ts';

/** Range of registers that are tried, in semitones above 1 Hz: 52 to 620 Hz. */
const MIN_REGISTER = 68.5;
const MAX_REGISTER = 111.5;
const REGISTER_STEP = 0.5;
const REGISTERS = Float64Array.from(
  { length: Math.round((MAX_REGISTER - MIN_REGISTER) / REGISTER_STEP) + 1 },
  (_, at) => MIN_REGISTER + at * REGISTER_STEP,
);
/** The register of a speaker changes between recordings by about this much, semitones. */
const DRIFT = 1;
/** Probability that an earlier register is of no use: another person, another mood. */
const UNRELATED = 0.05;
/** Least likelihood, which keeps its logarithm finite. */
const LEAST_LIKELIHOOD = 1e-300;
/** Limit of the acoustic model's evidence against a tone, nats: it can be confident and wrong. */
const MAX_DOUBT = 6;

/** Mandarin's neutral tone. */
const NEUTRAL = 5;

type TonesJudged = {
  /** Log-posteriors of the tones of each syllable, with equal priors. */
  logp: number[][];
  register: SpeakerRegister;
};

/**
 * Judges the tones of one recording together. A speaker has a register R and a span s; a syllable
 * with tone t has a contour distributed around R + s · shape(t). Every syllable's evidence is
 * summed over all R and s, weighted by how well they explain all *other* syllables, for which the
 * expected tones are likely but not certain. A syllable does not determine its own register beyond
 * the prior over speakers, so a single level tone is not right merely because it is expected.
 * `knownRegister` is the register from earlier recordings of the speaker, which narrows that prior.
 */
export function judgeTones(
  model: ToneModel,
  questions: readonly ToneQuestion[],
  contours: readonly (Contour | null)[],
  knownRegister: SpeakerRegister | null = null,
): TonesJudged {
  const manners = mannersOf(model, contours);
  const prior = speakerPrior(model, knownRegister, manners.length);
  const size = prior.length;
  const doubts = questions.map((question) => modelDoubts(model, question));
  // Likelihood of each syllable's contour by tone and speaker; null for unvoiced syllables.
  const likelihoods = contours.map((contour, index) =>
    contour === null
      ? null
      : contourLikelihoods(
          model,
          manners.map((manner) => manner[index]!),
          shapesAt(model, questions, contours, index),
        ),
  );
  const evidence = likelihoods.map((byTone, index) =>
    byTone === null ? null : speakerEvidence(model, byTone, questions[index]!.expected, doubts[index]!, size),
  );
  const total = Float64Array.from(prior);
  for (const syllableEvidence of evidence)
    if (syllableEvidence !== null) for (let at = 0; at < size; at++) total[at]! += syllableEvidence[at]!;
  const shares = new Float64Array(size);
  const logp = questions.map((_, index) => {
    const byTone = likelihoods[index] ?? null;
    const ownEvidence = evidence[index] ?? null;
    if (byTone === null || ownEvidence === null) return normalized(doubts[index]!);
    // Compute the evidence of the other syllables about the speaker.
    let top = -Infinity;
    for (let at = 0; at < size; at++) top = Math.max(top, total[at]! - ownEvidence[at]!);
    for (let at = 0; at < size; at++) shares[at] = Math.exp(total[at]! - ownEvidence[at]! - top);
    const scores = doubts[index]!.map((doubt, tone) => {
      const row = byTone[tone]!;
      let sum = LEAST_LIKELIHOOD;
      for (let at = 0; at < size; at++) sum += shares[at]! * row[at]!;
      return doubt + Math.log(sum);
    });
    return normalized(scores);
  });
  return { logp, register: expectedRegister(total) };
}

/**
 * Returns the contours for each manner of speaking: careful, and, where the model knows it, fluent.
 * One manner holds for a whole recording.
 */
function mannersOf({ connected }: ToneModel, contours: readonly (Contour | null)[]): (ToneTrace | null)[][] {
  const careful = carefulTraces(contours);
  return connected === null ? [careful] : [careful, fluentTraces(contours, connected)];
}

const isChecked = (rime: string): boolean => /[ptk]$/.test(rime);

/** Computes the log-probabilities of speakers: by manner of speaking, span and register. */
function speakerPrior(
  { spans, registers }: ToneModel,
  knownRegister: SpeakerRegister | null,
  manners: number,
): Float64Array {
  const ofOne = new Float64Array(spans.length * REGISTERS.length);
  spans.forEach(({ share }, span) => {
    REGISTERS.forEach((register, at) => {
      let density = 0;
      for (const { share: part, mean, deviation } of registers) density += part * gaussian(register, mean, deviation);
      if (knownRegister !== null) {
        const related = gaussian(register, knownRegister.semitones, Math.hypot(knownRegister.deviation, DRIFT));
        density = UNRELATED * density + (1 - UNRELATED) * related;
      }
      ofOne[span * REGISTERS.length + at] = Math.log(share * density + 1e-12);
    });
  });
  return Float64Array.from({ length: manners * ofOne.length }, (_, at) => ofOne[at % ofOne.length]!);
}

/** Computes a density without its constant factor. */
const gaussian = (x: number, mean: number, deviation: number): number =>
  Math.exp(-0.5 * ((x - mean) / deviation) ** 2) / deviation;

function modelDoubts(
  { tones, modelWeight, expectedNeutralLogp = 0 }: ToneModel,
  { modelLogp, expected }: ToneQuestion,
): number[] {
  const logps = Array.from({ length: tones }, (_, tone) => modelLogp[tone] ?? Number.NaN);
  if (!logps.every((value) => !Number.isNaN(value))) return logps.map(() => 0);
  if (expected.includes(NEUTRAL)) logps[NEUTRAL - 1]! += expectedNeutralLogp;
  const top = Math.max(...logps);
  if (!Number.isFinite(top)) return logps.map(() => 0);
  return logps.map((value) => modelWeight * Math.max(-MAX_DOUBT, value - top));
}

/** Returns the shapes that the tones of a syllable have at its position. */
function shapesAt(
  model: ToneModel,
  questions: readonly ToneQuestion[],
  contours: readonly (Contour | null)[],
  index: number,
): readonly ToneShape[] {
  const position = positionOf(contours, index);
  const hasBefore = position === 'middle' || position === 'last';
  const before = hasBefore ? questions[index - 1]?.expected : undefined;
  return model.shapesOf(position, isChecked(questions[index]!.rime), before);
}

/** Returns the position of a syllable relative to pauses and neighbors. */
function positionOf(contours: readonly (Contour | null)[], index: number): TonePosition {
  const contour = contours[index]!;
  const before = contours.slice(0, index).findLast((candidate) => candidate !== null) ?? null;
  const after = contours.slice(index + 1).find((candidate) => candidate !== null) ?? null;
  if (follows(before, contour)) return follows(contour, after) ? 'middle' : 'last';
  return follows(contour, after) ? 'first' : 'alone';
}

/**
 * Computes p(contour | tone, speaker), a row for each tone over all manners, spans and registers.
 */
function contourLikelihoods(
  model: ToneModel,
  manners: readonly ToneTrace[],
  shapes: readonly ToneShape[],
): Float64Array[] {
  const { spans, tones, freedom, contourWeight } = model;
  const size = manners.length * spans.length * REGISTERS.length;
  const rows = Array.from({ length: tones }, () => new Float64Array(size));
  const difference = new Float64Array(CONTOUR_POINTS);
  const exponent = (freedom + CONTOUR_POINTS) / 2;
  for (const shape of shapes) {
    const row = rows[shape.tone - 1];
    if (row === undefined) continue;
    const constant = Math.log(shape.share) + contourWeight * shape.halfLogDeterminant;
    let at = 0;
    for (const { points, weights, movement } of manners) {
      const sum = quadratic(shape, weights, weights);
      for (const { factor } of spans) {
        for (let k = 0; k < CONTOUR_POINTS; k++) {
          const target = shape.level + movement * (shape.mean[k]! - shape.level);
          difference[k] = points[k]! - weights[k]! * factor * target;
        }
        const squared = quadratic(shape, difference, difference);
        const linear = quadratic(shape, weights, difference);
        for (let k = 0; k < REGISTERS.length; k++) {
          const register = REGISTERS[k]!;
          const distance = Math.max(0, squared - 2 * linear * register + sum * register * register);
          row[at]! += Math.exp(constant - contourWeight * exponent * Math.log1p(distance / freedom));
          at++;
        }
      }
    }
  }
  return rows;
}

/** Computes aᵀ P b with the precision P of a shape. */
function quadratic({ precision }: ToneShape, a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < CONTOUR_POINTS; i++) {
    let sum = 0;
    for (let j = 0; j < CONTOUR_POINTS; j++) sum += precision[i * CONTOUR_POINTS + j]! * b[j]!;
    total += a[i]! * sum;
  }
  return total;
}

/**
 * Computes the evidence of a syllable about the speaker, given its expected tones: log of the sum
 * over tones.
 */
function speakerEvidence(
  { tones, expectedShare }: ToneModel,
  byTone: readonly Float64Array[],
  expected: readonly number[],
  doubts: readonly number[],
  size: number,
): Float64Array {
  const accepted = new Set(expected.filter((tone) => tone >= 1 && tone <= tones));
  const otherTones = tones - accepted.size;
  const weights = doubts.map((doubt, index) => {
    if (accepted.size === 0 || otherTones === 0) return doubt - Math.log(tones);
    const share = accepted.has(index + 1) ? expectedShare / accepted.size : (1 - expectedShare) / otherTones;
    return doubt + Math.log(share);
  });
  const evidence = new Float64Array(size).fill(LEAST_LIKELIHOOD);
  byTone.forEach((row, tone) => {
    const weight = Math.exp(weights[tone]!);
    for (let at = 0; at < size; at++) evidence[at]! += weight * row[at]!;
  });
  for (let at = 0; at < size; at++) evidence[at] = Math.log(evidence[at]!);
  return evidence;
}

function expectedRegister(total: Float64Array): SpeakerRegister {
  const top = total.reduce((highest, value) => Math.max(highest, value), -Infinity);
  let weight = 0;
  let sum = 0;
  let squares = 0;
  total.forEach((value, at) => {
    const share = Math.exp(value - top);
    const register = REGISTERS[at % REGISTERS.length]!;
    weight += share;
    sum += share * register;
    squares += share * register ** 2;
  });
  const semitones = sum / weight;
  return { semitones, deviation: Math.sqrt(Math.max(0, squares / weight - semitones ** 2)) };
}

function normalized(scores: readonly number[]): number[] {
  const top = Math.max(...scores);
  const total = top + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - top), 0));
  return scores.map((score) => score - total);
}
