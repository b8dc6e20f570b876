import { describe, expect, it } from 'vitest';
import { predict } from '#packages/engines/builtin/pronunciation/english/score-model.ts';
import { fitLogistic, solve, spreadAsTargets } from './logistic-regression.ts';

const example = (target: number, ...features: number[]) => ({ features, target, weight: 1 });
const solved = (...rows: number[][]) => [...solve(rows.map((row) => Float64Array.from(row)))];

describe('linear equations', () => {
  it.each([
    ['none', [], []],
    ['one', [[4, 2]], [0.5]],
    [
      'a zero on the diagonal',
      [
        [0, 2, 4],
        [3, 1, 5],
      ],
      [1, 2],
    ],
    [
      'three',
      [
        [1, 1, 1, 6],
        [0, 2, 5, -4],
        [2, 5, -1, 27],
      ],
      [5, 3, -2],
    ],
  ])('%s', (_, rows, expected) => {
    const solution = solved(...rows);
    expect(solution).toHaveLength(expected.length);
    solution.forEach((value, at) => expect(value).toBeCloseTo(expected[at]!, 9));
  });
});

describe('logistic regression', () => {
  it('predicts the mean target of each value of one feature that has two', () => {
    const model = fitLogistic([example(0.1, 7), example(0.4, 7), example(0.7, 9), example(0.8, 9)], 0);
    expect(predict(model, [7])).toBeCloseTo(0.25, 4);
    expect(predict(model, [9])).toBeCloseTo(0.75, 4);
    expect(model).toMatchObject({ mean: [8], deviation: [1] });
    // The logits are −ln 3 and ln 3, at −1 and 1 standard deviations.
    expect(model.weights[0]).toBeCloseTo(Math.log(3), 4);
    expect(model.bias).toBeCloseTo(0, 4);
  });

  it('predicts the weighted mean without features', () => {
    const examples = [
      { features: [], target: 0.2, weight: 3 },
      { features: [], target: 0.6, weight: 1 },
    ];
    expect(predict(fitLogistic(examples, 1), [])).toBeCloseTo(0.3, 4);
  });

  it('ends with finite weights for separable targets, a constant feature and equal features', () => {
    const examples = [example(0, 1, 1, 5), example(0, 2, 2, 5), example(1, 8, 8, 5), example(1, 9, 9, 5)];
    const model = fitLogistic(examples, 0.1);
    expect([...model.weights, model.bias].every(Number.isFinite)).toBe(true);
    expect(model.weights[0]).toBeCloseTo(model.weights[1]!, 3);
    expect(model.weights[2]).toBeCloseTo(0, 9);
  });

  it('draws weights to zero under a heavy penalty, but not the mean', () => {
    const model = fitLogistic([example(0.3, 0), example(0.9, 1)], 1e6);
    expect(model.weights[0]).toBeCloseTo(0, 4);
    expect(predict(model, [0])).toBeCloseTo(0.6, 4);
  });
});

it('spreads shrunken predictions as far as the targets, around the same mean', () => {
  const examples = [0.2, 0.3, 0.5, 0.7, 0.8].map((target, at) => example(target, at));
  const shrunken = fitLogistic(examples, 0.3);
  const range = (model: typeof shrunken) => predict(model, [4]) - predict(model, [0]);
  const spread = spreadAsTargets(shrunken, examples);
  expect(range(spread)).toBeGreaterThan(range(shrunken) + 0.05);
  const mean = examples.reduce((sum, { features }) => sum + predict(spread, features), 0) / 5;
  expect(mean).toBeCloseTo(0.5, 3);
});
