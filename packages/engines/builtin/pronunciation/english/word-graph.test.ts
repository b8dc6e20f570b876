import { describe, expect, test } from 'vitest';
import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';
import { labelsFor } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import { readEmissions } from './emissions.ts';
import { nativeVariants } from './native-variants.ts';
import { recognizedText } from './recognized-text.ts';
import { buildWordGraph, COSTS, type WordGraph } from './word-graph.ts';

const graphOf = (words: readonly (readonly (readonly number[])[])[], foreign: readonly number[] = []) =>
  buildWordGraph(
    words.map((pronunciations) => ({ pronunciations })),
    new Set(foreign),
  );

/**
 * Computes the least cost of a path without sound through a graph: Bellman and Ford over its arcs.
 */
function leastCost(
  { stateCount, arcStart, arcFrom, arcCost, startCost, endCost, column }: WordGraph,
  phones: readonly number[],
): number {
  // Each phone takes one frame; gaps and blanks may be passed between them at no cost.
  let costs = startCost.map((cost, state) => (column[state]! > 0 ? Infinity : cost));
  const settle = (costsBefore: Float64Array) => {
    const settled = Float64Array.from(costsBefore);
    for (let round = 0; round < stateCount; round += 1) {
      for (let to = 0; to < stateCount; to += 1) {
        if (column[to]! > 0) continue;
        for (let arc = arcStart[to]!; arc < arcStart[to + 1]!; arc += 1)
          settled[to] = Math.min(settled[to]!, settled[arcFrom[arc]!]! + arcCost[arc]!);
      }
    }
    return settled;
  };
  costs = settle(costs);
  phones.forEach((phone, index) => {
    const next = new Float64Array(stateCount).fill(Infinity);
    for (let to = 0; to < stateCount; to += 1) {
      if (column[to] !== phone) continue;
      if (index === 0) next[to] = startCost[to]!;
      for (let arc = arcStart[to]!; arc < arcStart[to + 1]!; arc += 1)
        next[to] = Math.min(next[to]!, costs[arcFrom[arc]!]! + arcCost[arc]!);
    }
    costs = settle(next);
  });
  return Math.min(...costs.map((cost, state) => cost + endCost[state]!));
}

describe('the graph of words', () => {
  const words = [
    [[1, 2, 3]],
    [[4, 5]],
    [
      [6, 7, 8],
      [6, 9],
    ],
  ];
  const graph = graphOf(words);

  test.each([
    [[1, 2, 3, 4, 5, 6, 7, 8], 0, 'everything'],
    [[1, 2, 3, 4, 5, 6, 9], COSTS.variant, 'another pronunciation'],
    [[1, 3, 4, 5, 6, 7, 8], COSTS.omittedPhone, 'a phone is missing'],
    [[2, 3, 4, 5, 6, 7, 8], COSTS.omittedPhone, 'the first phone is missing'],
    [[1, 2, 4, 5, 6, 7, 8], COSTS.omittedPhone, 'the last phone is missing'],
    [[1, 2, 3, 6, 7, 8], COSTS.omittedWord + 2 * COSTS.omittedWordPhone, 'a word is missing'],
    [[1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8], COSTS.repetition, 'a word is repeated'],
    [[1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 8], COSTS.repetition, 'two words are repeated'],
    [[4, 5, 6, 7, 8], COSTS.omittedWord + 3 * COSTS.omittedWordPhone, 'the first word is missing'],
    [[1, 2, 3, 4, 5], COSTS.omittedWord + 2 * COSTS.omittedWordPhone, 'the last word is missing'],
  ])('%j costs %d: %s', (phones, cost) => {
    expect(leastCost(graph, phones)).toBeCloseTo(cost, 9);
  });

  test('has no path of phones in another order', () => {
    expect(leastCost(graphOf([[[1, 2]]]), [2, 1])).toBe(Infinity);
  });

  test('has a gap before, between and after the words', () => {
    expect(graph.gaps).toHaveLength(4);
    for (const gap of graph.gaps) expect([graph.column[gap], graph.word[gap]]).toEqual([-1, -1]);
  });

  test('allows other words cheaply only where they are', () => {
    const foreign = graphOf(words, [1]);
    expect([...foreign.gaps].map((gap) => foreign.insertionCost[gap])).toEqual([
      COSTS.insertion,
      COSTS.otherWord,
      COSTS.insertion,
      COSTS.insertion,
    ]);
  });

  test('knows the place of each phone', () => {
    const places = [...graph.column].flatMap((column, state) =>
      column > 0 ? [`${graph.word[state]} ${graph.variant[state]} ${graph.position[state]} ${column}`] : [],
    );
    expect(places.toSorted()).toEqual(
      words
        .flatMap((pronunciations, word) =>
          pronunciations.flatMap((phones, variant) => phones.map((column, at) => `${word} ${variant} ${at} ${column}`)),
        )
        .toSorted(),
    );
  });

  test('separates equal phones by a blank or a gap', () => {
    const { arcStart, arcFrom, column } = graphOf([[[1, 1]], [[1]]]);
    for (let to = 0; to < column.length; to += 1) {
      const from = [...arcFrom.subarray(arcStart[to]!, arcStart[to + 1]!)].filter((state) => state !== to);
      expect(from.filter((state) => column[to] === 1 && column[state] === 1)).toEqual([]);
    }
  });

  test('of no words is a gap', () => {
    const empty = graphOf([]);
    expect([empty.stateCount, empty.startCost[0], empty.endCost[0]]).toEqual([1, 0, 0]);
  });
});

describe('emissions', () => {
  const labels = labelsFor('english');
  const width = 1 + labels.phones.length;
  const posteriorsOf = (values: readonly number[]) => ({
    frameCount: 1,
    symbolLogp: Float32Array.from({ length: width }, (_, column) => values[column] ?? -Infinity),
    toneLogp: new Float32Array(),
  });

  test('have a floor, and never more than certainty', () => {
    const { p, logp } = readEmissions(posteriorsOf([0.5, Math.log(0.5)]), labels);
    expect([p[0], p[1], p[2]]).toEqual([1, expect.closeTo(0.5, 6), 4e-4]);
    expect(logp[2]).toBeCloseTo(Math.log(4e-4), 9);
  });

  test('count what is no number as impossible', () => {
    const { p } = readEmissions(posteriorsOf([Number.NaN, Number.NaN]), labels);
    expect([p[0], p[1]]).toEqual([4e-4, 4e-4]);
  });

  test('know the likeliest phone, which is never the blank', () => {
    expect(readEmissions(posteriorsOf([0, -5, -3, -4]), labels).bestPhone[0]).toBe(2);
    expect(readEmissions(posteriorsOf([0]), labels).bestPhone[0]).toBe(1);
  });
});

const columnOf = (phone: string) => ARPABET_PHONES.indexOf(phone) + 1;

describe('native variants of a phone', () => {
  test.each([
    ['T', ['D']],
    ['AA', ['AO']],
    ['ER', ['AX', 'AH']],
    ['S', []],
  ])('%s: %j', (phone, variants) => {
    expect(nativeVariants(columnOf(phone))).toEqual(variants.map(columnOf));
  });

  test('the blank and unknown columns have none', () => {
    expect([nativeVariants(0), nativeVariants(99), nativeVariants(-1)]).toEqual([[], [], []]);
  });
});

const word = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs });

describe('the recognized text', () => {
  test.each([
    [[], [], ''],
    [[word('a', 0, 100)], [], 'a'],
    [[], [word('x', 0, 100)], 'x'],
    [[word('a', 0, 100), word('c', 200, 300)], [word('b', 100, 200)], 'a b c'],
    [[word('a', 0, 100)], [word('x', 10, 90), word('y', 150, 200)], 'a y'],
    [[word('a', 100, 200)], [word('x', 0, 200)], 'a'],
    [[word('a', 100, 200)], [word('x', 0, 199)], 'x a'],
  ])('of %j and %j is %j', (accepted, free, text) => {
    expect(recognizedText(accepted, free)).toBe(text);
  });
});
