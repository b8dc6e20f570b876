import { mean } from '@jyutsing/numeric/statistics';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { LanguageCalibration } from '#packages/engines/builtin/language-scores.ts';

/** The inputs of one clip, a constant 1 last, and what it is. */
export type Example = { values: readonly number[]; language: Language; source: string };

const ITERATIONS = 800;
const LEARNING_RATE = 0.3;
const MOMENTUM = 0.9;
/** Ridge penalty: small weights generalize to other voices. */
const PENALTY = 0.01;

/**
 * Multinomial logistic regression by gradient descent with momentum, on inputs of mean 0 and
 * variance 1. All languages count equally, and all sources of a language. Returns weights for the
 * inputs as they are.
 */
export function fitRegression(examples: readonly Example[]): LanguageCalibration['weights'] {
  const size = examples[0]?.values.length ?? 0;
  const { means, deviations } = scalesOf(examples, size);
  const inputs = examples.map(({ values }) => values.map((value, at) => (value - means[at]!) / deviations[at]!));
  const importance = importanceOf(examples);
  const fitted = LANGUAGES.map(() => new Float64Array(size));
  const speed = LANGUAGES.map(() => new Float64Array(size));
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const gradients = LANGUAGES.map(() => new Float64Array(size));
    for (const [index, input] of inputs.entries()) {
      const shares = softmax(fitted.map((weights) => input.reduce((sum, x, at) => sum + x * weights[at]!, 0)));
      for (const [row, language] of LANGUAGES.entries()) {
        const error = (shares[row]! - Number(language === examples[index]!.language)) * importance[index]!;
        input.forEach((x, at) => (gradients[row]![at]! += error * x));
      }
    }
    for (const [row, weights] of fitted.entries()) {
      for (let at = 0; at < size; at++) {
        speed[row]![at] = MOMENTUM * speed[row]![at]! - LEARNING_RATE * (gradients[row]![at]! + PENALTY * weights[at]!);
        weights[at]! += speed[row]![at]!;
      }
    }
  }
  const unscaled = fitted.map((weights) => {
    const rawWeights = Array.from(weights, (weight, at) => weight / deviations[at]!);
    rawWeights[size - 1]! -= rawWeights.slice(0, -1).reduce((sum, weight, at) => sum + weight * means[at]!, 0);
    return rawWeights;
  });
  return { cantonese: unscaled[0]!, mandarin: unscaled[1]!, english: unscaled[2]! };
}

/** Mean and standard deviation of each input; 0 and 1 for the constant. */
function scalesOf(examples: readonly Example[], size: number): { means: number[]; deviations: number[] } {
  const means = Array.from({ length: size }, (_, at) => mean(examples.map(({ values }) => values[at]!)));
  means[size - 1] = 0;
  const deviations = means.map((middle, at) =>
    Math.sqrt(mean(examples.map(({ values }) => (values[at]! - middle) ** 2))),
  );
  return { means, deviations: deviations.map((deviation) => deviation || 1) };
}

function importanceOf(examples: readonly Example[]): number[] {
  const clips = new Map<string, number>();
  const sources = new Map<Language, Set<string>>();
  for (const { source, language } of examples) {
    clips.set(source, (clips.get(source) ?? 0) + 1);
    sources.set(language, (sources.get(language) ?? new Set()).add(source));
  }
  return examples.map(
    ({ source, language }) => 1 / (LANGUAGES.length * sources.get(language)!.size * clips.get(source)!),
  );
}

function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits);
  const shares = logits.map((logit) => Math.exp(logit - highest));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}
