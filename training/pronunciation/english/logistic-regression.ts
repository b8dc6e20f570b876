import { mean, standardDeviation } from '@jyutsing/numeric/statistics';
import {
  type LogisticModel,
  predict,
  standardized,
} from '#packages/engines/builtin/pronunciation/english/score-model.ts';

export type Example = { features: readonly number[]; /** 0–1. */ target: number; weight: number };

const ITERATIONS = 40;
const SMALLEST_STEP = 1e-6;

/**
 * Logistic regression on targets from 0 to 1 with an L2 penalty on standardized weights, by
 * Newton's method. Means and deviations are those of `reference`, or of all examples.
 */
export function fitLogistic(
  examples: readonly Example[],
  penalty: number,
  reference: readonly Example[] = examples,
): LogisticModel {
  const size = examples[0]?.features.length ?? 0;
  const means: number[] = [];
  const deviations: number[] = [];
  for (let at = 0; at < size; at++) {
    const values = reference.map(({ features }) => features[at] ?? 0);
    means.push(rounded(mean(values)));
    deviations.push(rounded(Math.max(standardDeviation(values), 1e-3)));
  }
  const rows = examples.map(({ features }) =>
    Float64Array.from([...features.map((value, at) => standardized(value, means[at] ?? 0, deviations[at] ?? 1)), 1]),
  );
  const weights = new Float64Array(size + 1);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const step = newtonStep(rows, examples, weights, penalty);
    step.forEach((value, at) => (weights[at] = (weights[at] ?? 0) - value));
    if (step.every((value) => Math.abs(value) < SMALLEST_STEP)) break;
  }
  return {
    mean: means,
    deviation: deviations,
    weights: Array.from(weights.subarray(0, size), rounded),
    bias: rounded(weights[size] ?? 0),
  };
}

/**
 * Rescales a model so that its predictions spread as far as the targets. Fitted predictions shrink
 * to the middle, so the best and worst ratings would never occur.
 */
export function spreadAsTargets(model: LogisticModel, examples: readonly Example[]): LogisticModel {
  const predicted = examples.map(({ features }) => predict(model, features));
  const targets = examples.map(({ target }) => target);
  const middle = mean(predicted.map((share) => Math.log(share / (1 - share))));
  let spread = model;
  for (
    let factor = 1;
    factor < 3 &&
    standardDeviation(examples.map(({ features }) => predict(spread, features))) < standardDeviation(targets);
    factor += 0.02
  ) {
    const weights = model.weights.map((weight) => weight * factor);
    // A steeper curve shifts the mean, so restore it.
    let bias = middle + (model.bias - middle) * factor;
    for (let step = 0; step < 5; step++) {
      const shares = examples.map(({ features }) => predict({ ...model, weights, bias }, features));
      bias -= (mean(shares) - mean(targets)) / mean(shares.map((share) => share * (1 - share)));
    }
    spread = { ...model, weights: weights.map((weight) => rounded(weight)), bias: rounded(bias) };
  }
  return spread;
}

function newtonStep(
  rows: readonly Float64Array[],
  examples: readonly Example[],
  weights: Float64Array,
  penalty: number,
): Float64Array {
  const size = weights.length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
  rows.forEach((row, index) => {
    const { target = 0, weight = 0 } = examples[index] ?? {};
    let sum = 0;
    for (let at = 0; at < size; at++) sum += (weights[at] ?? 0) * (row[at] ?? 0);
    const p = 1 / (1 + Math.exp(-sum));
    const curvature = weight * Math.max(p * (1 - p), 1e-3);
    for (let a = 0; a < size; a++) {
      const line = matrix[a];
      const value = row[a] ?? 0;
      if (line === undefined || value === 0) continue;
      line[size] = (line[size] ?? 0) + weight * (p - target) * value;
      for (let b = 0; b < size; b++) line[b] = (line[b] ?? 0) + curvature * value * (row[b] ?? 0);
    }
  });
  // The bias has no penalty.
  for (let at = 0; at < size - 1; at++) {
    const line = matrix[at];
    if (line === undefined) continue;
    line[at] = (line[at] ?? 0) + penalty;
    line[size] = (line[size] ?? 0) + penalty * (weights[at] ?? 0);
  }
  return solve(matrix);
}

/** Gaussian elimination with pivoting; the last column is the right-hand side. */
export function solve(matrix: Float64Array[]): Float64Array {
  const size = matrix.length;
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++) {
      if (Math.abs(matrix[row]?.[at] ?? 0) > Math.abs(matrix[pivot]?.[at] ?? 0)) pivot = row;
    }
    const line = matrix[pivot];
    const other = matrix[at];
    if (line === undefined || other === undefined) break;
    [matrix[at], matrix[pivot]] = [line, other];
    for (let row = at + 1; row < size; row++) {
      const target = matrix[row];
      const factor = (target?.[at] ?? 0) / (line[at] || 1e-12);
      if (target === undefined || factor === 0) continue;
      for (let column = at; column <= size; column++) {
        target[column] = (target[column] ?? 0) - factor * (line[column] ?? 0);
      }
    }
  }
  const solution = new Float64Array(size);
  for (let at = size - 1; at >= 0; at--) {
    const line = matrix[at];
    let value = line?.[size] ?? 0;
    for (let column = at + 1; column < size; column++) value -= (line?.[column] ?? 0) * (solution[column] ?? 0);
    solution[at] = value / (line?.[at] || 1e-12);
  }
  return solution;
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
