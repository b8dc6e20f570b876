import { timingFeatures } from '#engines/builtin/pronunciation/measure-fluency.ts';
import type { Comparison } from './compare-words.ts';
import { agreementFeatures, phoneFeatures, spokenTiming, weakestWords, wordFeatures } from './features.ts';
import { predict, type ScoreModel } from './score-model.ts';

/** Shares 0–1 for everything that is judged. */
export type WordScores = {
  /** By word of the text and phone; empty for words that were left out. */
  phones: number[][];
  /** By word; 0 for words that were left out. */
  words: number[];
  ungated: number[];
  /** Whether the text was read at all, rather than another. */
  textSaid: number;
  accuracy: number;
  fluency: number;
};

/** A gate is open where the recording is surely of the text: it shall judge who read something else, not who reads badly. */
export const OPEN_WORD = 0.1;
export const OPEN_TEXT = 0.1;

export function phoneScores(comparison: Comparison, model: ScoreModel): number[][] {
  return comparison.words.map(({ said }) =>
    (said?.phones ?? []).map((phone) => predict(model.phone, phoneFeatures(phone))),
  );
}

/** Features of a word that was said, in its sentence. */
export function wordInSentence(
  comparison: Comparison,
  scores: readonly (readonly number[])[],
  index: number,
  frameMs: number,
): number[] {
  const word = comparison.words[index];
  const own = word === undefined ? [] : wordFeatures(word, scores[index] ?? [], frameMs);
  return [...own, ...agreementFeatures(comparison, scores)];
}

export function sentenceFeatures(
  comparison: Comparison,
  scores: readonly (readonly number[])[],
  words: readonly number[],
): number[] {
  const timing = spokenTiming(comparison);
  return [
    ...agreementFeatures(comparison, scores),
    ...weakestWords(words),
    ...timingFeatures(timing, 'english'),
    Math.log(words.length),
  ];
}

/** Scores a comparison. See models/eng/pronunciation.md for how the parts were fitted. */
export function scoreWords(comparison: Comparison, model: ScoreModel, frameMs: number): WordScores {
  const phones = phoneScores(comparison, model);
  const judged = comparison.words.map(({ said }, index) => {
    if (said === null) return { score: 0, said: 0 };
    const features = wordInSentence(comparison, phones, index, frameMs);
    return { score: predict(model.word, features), said: gate(predict(model.wordSaid, features), OPEN_WORD) };
  });
  const textSaid = gate(predict(model.textSaid, agreementFeatures(comparison, phones)), OPEN_TEXT);
  const features = sentenceFeatures(
    comparison,
    phones,
    judged.map(({ score }) => score),
  );
  return {
    phones,
    words: judged.map(({ score, said }) => score * said),
    ungated: judged.map(({ score }) => score),
    textSaid,
    accuracy: predict(model.accuracy, features) * textSaid,
    fluency: predict(model.fluency, features) * textSaid,
  };
}

export function gate(share: number, open: number): number {
  return Math.min(1, share / open);
}
