import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { openLanguageScorer } from './acoustic-model.ts';
import { modelFiles } from './model-files.ts';

/**
 * The Chinese languages share one encoder and English has its own: the two models give independent
 * evidence.
 */
export const SCORING_MODELS = ['cantonese', 'english'] as const satisfies Language[];

/** For each language the weights of all scores in order, and a constant last. */
export type LanguageWeights = Readonly<Record<Language, readonly number[]>>;

type LanguageScores = {
  /**
   * Scores mono audio at 16 kHz: each of SCORING_MODELS for each of LANGUAGES, then a constant 1.
   * Throws `engine_failed`.
   */
  score(samples: Float32Array): Promise<number[]>;
  close(): Promise<void>;
};

/**
 * Opens the acoustic models for language identification. Throws `engine_unavailable` when one is
 * missing.
 */
export async function openLanguageScores(modelsDir: string): Promise<LanguageScores> {
  const scorers = await Promise.all(SCORING_MODELS.map((model) => openLanguageScorer(modelFiles(modelsDir, model))));
  return {
    async score(samples) {
      const scores: number[] = [];
      for (const scorer of scorers) {
        const found = await scorer.score(samples);
        scores.push(...LANGUAGES.map((language) => found.get(language) ?? 0));
      }
      return [...scores, 1];
    },
    async close() {
      for (const scorer of scorers) await scorer.close();
    },
  };
}

/**
 * Applies multinomial logistic regression restricted to the given languages; null when there are
 * none.
 */
export function likeliest(
  scores: readonly number[],
  weights: LanguageWeights,
  among: readonly Language[],
): IdentifiedLanguage | null {
  const logits = among.map((language) => ({
    language,
    logit: scores.reduce((sum, score, at) => sum + score * (weights[language][at] ?? 0), 0),
  }));
  const [best] = logits.sort((a, b) => b.logit - a.logit);
  if (best === undefined) return null;
  const total = logits.reduce((sum, { logit }) => sum + Math.exp(logit - best.logit), 0);
  return { language: best.language, confidence: 1 / total };
}
