import { AppError } from '@jyutsing/contracts/errors';
import type { AssessedWord, PronunciationAssessment, Verdict } from '@jyutsing/contracts/pronunciation';
import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';
import { type AcousticLabels, createDecoder } from '#engines/builtin/decoder/index.ts';
import { assertPosteriors } from '#engines/builtin/decoder/labels.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import type { AcousticAnalysis } from '#engines/builtin/pronunciation/types.ts';
import { compareWords, type ComparedPhone, type ComparedWord, type EnglishTarget } from './compare-words.ts';
import { insertedSounds } from './inserted-sounds.ts';
import { recognizedText } from './recognized-text.ts';
import { nativeVariants } from './native-variants.ts';
import { readScoreModel } from './score-model.ts';
import { scoreWords, summarize, type WordScores } from './score-words.ts';

/** Compares a recording with an English text. */
export type WordAssessor = (
  analysis: AcousticAnalysis,
  target: EnglishTarget,
) => PronunciationAssessment & { language: 'english' };

const RIGHT_WORD_SCORE = 0.6;
const RIGHT_PHONE_SCORE = 0.5;

/**
 * Opens the assessor of English with the labels of its acoustic model; see `summarize` for the
 * formula of the total. Throws `engine_unavailable` when a model is missing or has other phones;
 * the assessor throws `engine_failed` for an analysis by another acoustic model.
 */
export function createWordAssessor(modelsDir: string, labels: AcousticLabels): WordAssessor {
  requireArpabet(labels);
  const model = readScoreModel(modelsDir);
  const { languageModel: languageModelPath } = modelFiles(modelsDir, 'english');
  const decoder = createDecoder({ language: 'english', labels, languageModelPath });
  return (analysis, target) => {
    const { posteriors } = analysis;
    assertPosteriors(posteriors, labels);
    const comparison = compareWords(analysis, target);
    const scores = scoreWords(comparison, model, labels.frameMs);
    const words = comparison.words.map((word, index) =>
      assessedWord(word, scores.words[index] ?? 0, scores.phones[index] ?? []),
    );
    const isAllThere = comparison.inserted.length === 0 && words.every(({ verdict }) => verdict === 'right');
    const free = isAllThere || posteriors.frameCount === 0 ? [] : decoder.decode(posteriors);
    return {
      language: 'english',
      ...summary(scores),
      heard: recognizedWords(words, free),
      insertions: insertedSounds(comparison, labels.frameMs),
      words,
    };
  };
}

function requireArpabet({ phones }: AcousticLabels): void {
  if (phones.join(' ') === ARPABET_PHONES.join(' ')) return;
  throw new AppError(
    'engine_unavailable',
    'The English acoustic model has other phones than its scores were fitted on; reinstall the project.',
  );
}

function summary(scores: WordScores) {
  const { total, accuracy, fluency, integrity } = summarize(scores);
  return {
    score: percent(total),
    accuracyScore: percent(accuracy),
    fluencyScore: percent(fluency),
    integrityScore: percent(integrity),
  };
}

function recognizedWords(
  words: readonly AssessedWord[],
  free: readonly { text: string; startMs: number; endMs: number }[],
): string {
  const accepted = words.flatMap(({ text, verdict, startMs, endMs }) =>
    startMs !== null && endMs !== null && verdict === 'right' ? [{ text, startMs, endMs }] : [],
  );
  return recognizedText(accepted, free);
}

function assessedWord(
  { text, columns, spoken }: ComparedWord,
  score: number,
  phoneScores: readonly number[],
): AssessedWord {
  if (spoken === null) {
    const omitted = { heard: null, verdict: 'omitted', score: 0, startMs: null, endMs: null } as const;
    const phonemes = columns.map((column) => ({ expected: phoneOf(column), ...omitted }));
    return { text, score: 0, verdict: 'omitted', startMs: null, endMs: null, phonemes };
  }
  const { startMs, endMs, phones } = spoken;
  const verdict: Verdict = score >= RIGHT_WORD_SCORE ? 'right' : 'wrong';
  const phonemes = phones.map((phone, at) => assessedPhone(phone, phoneScores[at] ?? 0));
  return { text, score: percent(score), verdict, startMs, endMs, phonemes };
}

function assessedPhone(phone: ComparedPhone, score: number): AssessedWord['phonemes'][number] {
  const { column, startMs, endMs, logp, rival, rivalLogp, noneLogp } = phone;
  const expected = phoneOf(column);
  if (rivalLogp > logp && nativeVariants(column).includes(rival)) {
    return { expected, heard: phoneOf(rival), verdict: 'variant', score: percent(score), startMs, endMs };
  }
  if (score >= RIGHT_PHONE_SCORE || logp > Math.max(rivalLogp, noneLogp)) {
    return { expected, heard: expected, verdict: 'right', score: percent(score), startMs, endMs };
  }
  if (noneLogp > rivalLogp) {
    return { expected, heard: null, verdict: 'omitted', score: 0, startMs: null, endMs: null };
  }
  return { expected, heard: phoneOf(rival), verdict: 'wrong', score: percent(score), startMs, endMs };
}

function phoneOf(column: number): string {
  return ARPABET_PHONES[column - 1] ?? '';
}

function percent(share: number): number {
  return Math.round(1_000 * share) / 10;
}
