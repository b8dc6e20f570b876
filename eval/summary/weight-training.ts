import type { BoundaryModel } from '#packages/text/summary/boundary-model.ts';
import type { Piece } from '#packages/text/summary/cut-unpunctuated.ts';
import { startPace } from '#packages/text/summary/pace.ts';
import { vectorsOf, type SentenceVectors } from '#packages/text/summary/rank-sentences.ts';
import { FEATURES, featuresOf } from '#packages/text/summary/score-sentences.ts';
import { selectSentences } from '#packages/text/summary/select-sentences.ts';
import { LEXICONS, piecesOf } from '@jyutsing/text/summary/summarize-text';
import { mean } from '@jyutsing/numeric/statistics';
import { lettersOf, scoreSummary } from './score-summary.ts';
import { LENGTH_SHARE } from './summarizers.ts';
import { FORMS, inForm, type Form, type KeyedTranscript } from './transcripts.ts';

const NEWTON_STEPS = 12;
const MAX_SUMMARY_LENGTH = 1_500;

export type Example = {
  transcript: KeyedTranscript;
  form: Form;
  pieces: Piece[];
  vectors: SentenceVectors;
  features: number[][];
  /** Share of each sentence that belongs to a key sentence. */
  labels: number[];
};

/** A transcript in one form, cut by the given model. */
export async function exampleOf(
  transcript: KeyedTranscript,
  form: Form,
  boundaryModel: BoundaryModel,
): Promise<Example> {
  const lexicon = { ...LEXICONS[transcript.language], boundaryModel };
  const pieces = await piecesOf(inForm(transcript, form), transcript.language, startPace(), lexicon);
  const sentences = pieces.map(({ text }) => text);
  const units = sentences.map((sentence) => lexicon.units(sentence.toLowerCase()));
  const vectors = await vectorsOf(units, startPace());
  const titleUnits = lexicon.units((transcript.title ?? '').toLowerCase());
  const features = (await featuresOf({ sentences, units, vectors, titleUnits }, lexicon, startPace())).map((values) =>
    FEATURES.map((feature) => values[feature]),
  );
  return { transcript, form, pieces, vectors, features, labels: labelsOf(transcript, sentences) };
}

function labelsOf(transcript: KeyedTranscript, sentences: readonly string[]): number[] {
  const letters = transcript.sentences.map(({ text }) => lettersOf(text));
  const text = letters.join('');
  const keys = Uint8Array.from(
    letters.flatMap((sentence, index) =>
      Array<number>(sentence.length).fill(transcript.sentences[index]!.isKey ? 1 : 0),
    ),
  );
  let from = 0;
  return sentences.map(lettersOf).map((sentence) => {
    const at = text.indexOf(sentence, from);
    if (at < 0 || sentence === '') return 0;
    from = at + sentence.length;
    return keys.subarray(at, from).reduce((sum, key) => sum + key, 0) / sentence.length;
  });
}

/**
 * Fits a logistic regression by Newton's method on standardized features with an L2 penalty.
 * Returns weights of the unscaled features; the intercept is omitted, as it does not affect the
 * order.
 */
export function fitWeights(examples: readonly Example[], penalty: number): number[] {
  const rows = examples.flatMap(({ features }) => features);
  const labels = examples.flatMap((example) => example.labels);
  const size = FEATURES.length;
  const means = FEATURES.map((_, at) => mean(rows.map((row) => row[at]!)));
  const spreads = FEATURES.map((_, at) => Math.sqrt(mean(rows.map((row) => (row[at]! - means[at]!) ** 2))) || 1);
  const inputs = rows.map((row) => [...row.map((value, at) => (value - means[at]!) / spreads[at]!), 1]);
  const weights = [...Array<number>(size).fill(0), -2];
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const slopes = weights.map((weight, at) => (at < size ? penalty * weight : 0));
    const curves = weights.map((_, at) =>
      weights.map((__, other) => (at === other ? (at < size ? penalty : 1e-6) : 0)),
    );
    inputs.forEach((input, index) => {
      const chance = 1 / (1 + Math.exp(-dot(input, weights)));
      // Weight each form equally.
      const error = (chance - labels[index]!) / FORMS.length;
      const curve = Math.max(1e-6, chance * (1 - chance)) / FORMS.length;
      for (let at = 0; at <= size; at += 1) {
        slopes[at]! += error * input[at]!;
        for (let other = 0; other <= size; other += 1) curves[at]![other]! += curve * input[at]! * input[other]!;
      }
    });
    solve(curves, slopes).forEach((change, at) => {
      weights[at]! -= change;
    });
  }
  return FEATURES.map((_, at) => weights[at]! / spreads[at]!);
}

/** Gauss-Jordan elimination; the matrix is positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  rows.forEach((pivot, at) => {
    rows.forEach((row, index) => {
      if (index === at) return;
      const factor = row[at]! / pivot[at]!;
      for (let column = at; column < row.length; column += 1) row[column]! -= factor * pivot[column]!;
    });
  });
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}

/** Key sentences of the example's transcript that a summary with these weights keeps. */
export function keptBy(weights: readonly number[], { transcript, pieces, vectors, features }: Example): number {
  const scores = features.map((row) => dot(row, weights));
  const budget = LENGTH_SHARE * pieces.reduce((sum, { text }) => sum + text.length, 0);
  const taken = selectSentences(pieces, scores, vectors, {
    budget,
    maxCharacters: MAX_SUMMARY_LENGTH,
    minSentences: 2,
  });
  return scoreSummary(transcript, taken.map((index) => pieces[index]!.text).join(' ')).kept;
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
