import { z } from 'zod';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { openLanguageEvidenceModel, type LanguageEvidence } from './language-evidence.ts';
import { modelFiles } from './model-files.ts';

/**
 * Languages whose models score an utterance: each model recognizes speech of its own language best.
 */
export const SCORING_MODELS = ['cantonese', 'mandarin', 'english'] as const satisfies Language[];

/**
 * Length of `LanguageScores.values`: three models, two comparisons, four measures, and a constant.
 */
const INPUTS = 3 * LANGUAGES.length + 2 * 4 + 4 + 1;

/** Inputs of the regression for one utterance. */
export type LanguageScores = {
  /** Inputs as `scoresOf` describes them; the last is a constant 1. */
  values: number[];
  /**
   * How badly the models know the voice: the entropies of the better Chinese model and of the
   * English one, added, in the frames with symbols.
   */
  unfamiliarity: number;
};

/** Schema of models/language-identifier.json, which training/language-identifier makes. */
export const LanguageCalibration = z.object({
  /** Weights of `LanguageScores.values` for each language. */
  weights: z.record(z.enum(LANGUAGES), z.array(z.number()).length(INPUTS)),
  /**
   * Prior that is added to the logit of a language for a voice that the models do not know; in part
   * between the two bounds of unfamiliarity.
   */
  prior: z.record(z.enum(LANGUAGES), z.number()),
  unfamiliar: z.tuple([z.number(), z.number()]).refine(([from, to]) => from < to),
});
export type LanguageCalibration = z.infer<typeof LanguageCalibration>;

type LanguageScorer = {
  /** Scores mono audio at 16 kHz. Throws `engine_failed`. */
  score(samples: Float32Array): Promise<LanguageScores>;
  close(): Promise<void>;
};

/**
 * Opens the acoustic models for language identification. Throws `engine_unavailable` when one is
 * missing.
 */
export async function openLanguageScores(modelsDir: string): Promise<LanguageScorer> {
  const models = await Promise.all(
    SCORING_MODELS.map((model) => openLanguageEvidenceModel(modelFiles(modelsDir, model))),
  );
  return {
    async score(samples) {
      const evidence: LanguageEvidence[] = [];
      for (const model of models) evidence.push(await model.measure(samples));
      return scoresOf(evidence as Evidence);
    },
    async close() {
      for (const model of models) await model.close();
    },
  };
}

/** Least share, which keeps the ratio of shares finite. */
const SMALLEST_SHARE = 0.02;

/** Evidence in the order of `SCORING_MODELS`. */
type Evidence = [cantonese: LanguageEvidence, mandarin: LanguageEvidence, english: LanguageEvidence];

/**
 * Returns the scores of the models for LANGUAGES in order, then how Cantonese fares beside English
 * and Mandarin beside Cantonese (`compared`); the rates of Cantonese and Mandarin symbols, the
 * spread of the pitch and the share of voiced frames, because an unknown voice too has the rhythm
 * and the melody of its language; then 1.
 */
function scoresOf([cantonese, mandarin, english]: Evidence): LanguageScores {
  const values = [cantonese, mandarin, english].flatMap(({ scores }) =>
    LANGUAGES.map((language) => scores.get(language) ?? 0),
  );
  values.push(
    ...compared(cantonese, english),
    ...compared(mandarin, cantonese),
    cantonese.symbolRate,
    mandarin.symbolRate,
    cantonese.pitchSpread,
    cantonese.voicedShare,
    1,
  );
  const chineseEntropy = Math.min(cantonese.symbolEntropy, mandarin.symbolEntropy);
  return { values, unfamiliarity: chineseEntropy + english.symbolEntropy };
}

/**
 * Compares two models: log ratio of their frames with symbols, differences of their entropies over
 * all frames and over those with symbols, difference of the certainty of symbols.
 */
function compared(model: LanguageEvidence, other: LanguageEvidence): number[] {
  return [
    Math.log((model.symbolShare + SMALLEST_SHARE) / (other.symbolShare + SMALLEST_SHARE)),
    other.entropy - model.entropy,
    other.symbolEntropy - model.symbolEntropy,
    model.symbolLogp - other.symbolLogp,
  ];
}

/**
 * Applies multinomial logistic regression restricted to `languages`, and the prior for unfamiliar
 * voices; null without languages.
 */
export function likeliest(
  { values, unfamiliarity }: LanguageScores,
  { weights, prior, unfamiliar: [from, to] }: LanguageCalibration,
  among: readonly Language[],
): IdentifiedLanguage | null {
  const priorShare = Math.max(0, Math.min(1, (unfamiliarity - from) / (to - from)));
  const logits = among.map((language) => ({
    language,
    logit: values.reduce((sum, value, at) => sum + value * (weights[language][at] ?? 0), priorShare * prior[language]),
  }));
  const [best] = logits.sort((a, b) => b.logit - a.logit);
  if (best === undefined) return null;
  const total = logits.reduce((sum, { logit }) => sum + Math.exp(logit - best.logit), 0);
  return { language: best.language, confidence: 1 / total };
}
