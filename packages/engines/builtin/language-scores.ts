import { z } from 'zod';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { openAcousticModel } from './acoustic-model.ts';
import { measureLanguage, type LanguageEvidence } from './language-evidence.ts';
import { LANGUAGE_COMPARISONS } from './listener/compare-languages.ts';
import { lazyListener } from './listener/lazy-listener.ts';
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
   * Weights of what the listener says (listener/compare-languages.ts), then of a constant 1, for a
   * voice that the models do not know; in part between the two bounds of unfamiliarity.
   */
  people: z.record(z.enum(LANGUAGES), z.array(z.number()).length(LANGUAGE_COMPARISONS + 1)),
  unfamiliar: z.tuple([z.number(), z.number()]).refine(([from, to]) => from < to),
});
export type LanguageCalibration = z.infer<typeof LanguageCalibration>;

type ListenerEvidence = {
  /** Inputs of the regression for people: what compare-languages.ts describes, and a constant 1. */
  comparisons: number[];
  /**
   * Reads the speech as Cantonese and as Mandarin; returns by how much better the sound fits the
   * Cantonese text, in nats a symbol.
   */
  compareReadings(): Promise<number>;
};

type LanguageScorer = {
  /** Scores mono audio at 16 kHz. Throws `engine_failed`. */
  score(samples: Float32Array): Promise<LanguageScores>;
  /** Hears the speech with the listener. Throws `engine_failed`. */
  listen(samples: Float32Array, signal: AbortSignal): Promise<ListenerEvidence>;
  close(): Promise<void>;
};

/**
 * Opens the acoustic models for language identification. Throws `engine_unavailable` when one is
 * missing.
 */
export async function openLanguageScores(modelsDir: string): Promise<LanguageScorer> {
  const models = await Promise.all(SCORING_MODELS.map((model) => openAcousticModel(modelFiles(modelsDir, model))));
  const lazy = lazyListener(modelsDir);
  return {
    async score(samples) {
      const evidence: LanguageEvidence[] = [];
      for (const model of models) evidence.push(await measureLanguage(model, samples));
      return scoresOf(evidence as Evidence);
    },
    async listen(samples, signal) {
      const listener = await lazy.open();
      const sound = await listener.hearForLanguage(samples);
      return {
        comparisons: [...(await listener.compareLanguages(sound)), 1],
        async compareReadings() {
          const cantonese = await listener.read(sound, 'cantonese', signal);
          const mandarin = await listener.read(sound, 'mandarin', signal);
          return mandarin.disagreement - cantonese.disagreement;
        },
      };
    },
    async close() {
      for (const model of models) await model.close();
      await lazy.close();
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
 * Returns how much the voice is one that the models do not know, 0..1: the share of the listener in
 * the decision.
 */
export function shareOfListener({ unfamiliarity }: LanguageScores, { unfamiliar: [from, to] }: LanguageCalibration) {
  return Math.max(0, Math.min(1, (unfamiliarity - from) / (to - from)));
}

/** The answer of the listener about a voice that the models do not know. */
type Hearing = { comparisons: readonly number[]; readings: number };

/**
 * Weight of the comparison of readings, and the difference beyond which it says no more. The heads
 * alone take many Cantonese sentences of people for Mandarin; their readings do not.
 */
const READINGS_WEIGHT = 3;
const MOST_READINGS = 3;
/** Most that the heads say for one of two kinds of Chinese, as a difference of logits. */
const MOST_OF_HEADS = 3;

/**
 * Applies multinomial logistic regression restricted to `languages`; null without languages.
 * `hearing` is null where the share of the listener is 0.
 */
export function likeliest(
  scores: LanguageScores,
  hearing: Hearing | null,
  calibration: LanguageCalibration,
  among: readonly Language[],
): IdentifiedLanguage | null {
  const share = hearing === null ? 0 : shareOfListener(scores, calibration);
  const listenerLogits = hearing === null ? null : heardLogits(hearing, calibration);
  const logits = among.map((language) => ({
    language,
    logit:
      (1 - share) * weighted(scores.values, calibration.weights[language]) + share * (listenerLogits?.[language] ?? 0),
  }));
  const [best] = logits.sort((a, b) => b.logit - a.logit);
  if (best === undefined) return null;
  const total = logits.reduce((sum, { logit }) => sum + Math.exp(logit - best.logit), 0);
  return { language: best.language, confidence: 1 / total };
}

function heardLogits({ comparisons, readings }: Hearing, { people }: LanguageCalibration): Record<Language, number> {
  const [cantonese, mandarin, english] = LANGUAGES.map((language) => weighted(comparisons, people[language]));
  const chinese = Math.max(cantonese ?? 0, mandarin ?? 0);
  const heads = clamp((cantonese ?? 0) - (mandarin ?? 0), MOST_OF_HEADS);
  const difference = heads + READINGS_WEIGHT * clamp(readings, MOST_READINGS);
  return {
    cantonese: chinese + Math.min(0, difference),
    mandarin: chinese - Math.max(0, difference),
    english: english ?? 0,
  };
}

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

const weighted = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
