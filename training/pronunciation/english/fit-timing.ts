import { spokenTiming } from '#packages/engines/builtin/pronunciation/english/features.ts';
import { predict } from '#packages/engines/builtin/pronunciation/english/score-model.ts';
import { timingFeatures } from '#packages/engines/builtin/pronunciation/measure-fluency.ts';
import type { Trial } from './fit-models.ts';
import { type Example, fitLogistic, spreadAsTargets } from './logistic-regression.ts';
import { correlation } from './report.ts';

const PENALTY = 20;

/** The constants of measure-fluency.ts, and their agreement with raters on held-out speakers. */
export function timingWeights(trials: readonly Trial[]): { weights: number[]; bias: number; correlation: number } {
  const examplesOf = (isHeldOut: boolean): Example[] =>
    trials
      .filter(({ kind, learner }) => kind === 'right' && learner.isHeldOut === isHeldOut)
      .map(({ comparison, learner }) => ({
        features: timingFeatures(spokenTiming(comparison), 'english'),
        target: learner.fluency,
        weight: 1,
      }));
  const fittingExamples = examplesOf(false);
  const heldOutExamples = examplesOf(true);
  const model = spreadAsTargets(fitLogistic(fittingExamples, PENALTY), fittingExamples);
  // Convert from deviations to the features' own units.
  const weights = model.weights.map((weight, at) => weight / (model.deviation[at] ?? 1));
  const bias = weights.reduce((sum, weight, at) => sum - weight * (model.mean[at] ?? 0), model.bias);
  return {
    weights: weights.map((weight) => Number(weight.toPrecision(4))),
    bias: Number(bias.toPrecision(4)),
    correlation: correlation(
      heldOutExamples.map(({ features }) => predict(model, features)),
      heldOutExamples.map(({ target }) => target),
    ),
  };
}
