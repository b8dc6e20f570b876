import { expect, it } from 'vitest';
import { rankSentences, similaritiesTo, vectorsOf } from './rank-sentences.ts';

const unpaced = () => undefined;
const SENTENCES = ['a b c', 'a b d', 'b c d e', 'x y', 'x z', 'q'].map((text) => text.split(' '));

it('ranks equal those of a random walk over the full similarity matrix', async () => {
  const vectors = await vectorsOf(SENTENCES, unpaced);
  const matrix = SENTENCES.map((_, i) => {
    const similarity = similaritiesTo(vectors, i);
    return SENTENCES.map((__, j) => (i === j ? 0 : similarity(j)));
  });
  const sums = matrix.map((row) => row.reduce((sum, value) => sum + value, 0));
  let expected = SENTENCES.map(() => 1);
  for (let step = 0; step < 200; step += 1) {
    const before = expected;
    const homeless = before.reduce((sum, rank, i) => sum + (sums[i]! > 0 ? 0 : rank), 0) / before.length;
    expected = before.map((_, j) => {
      const received = before.reduce(
        (sum, rank, i) => sum + (sums[i]! > 0 ? (rank * matrix[i]![j]!) / sums[i]! : 0),
        0,
      );
      return 0.15 + 0.85 * (received + homeless);
    });
  }
  const ranks = await rankSentences(vectors, unpaced);
  expected.forEach((rank, index) => expect(ranks[index]).toBeCloseTo(rank, 2));
  expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(SENTENCES.length, 6);
});

it('a sentence has similarity 1 with itself and 0 without shared units', async () => {
  const vectors = await vectorsOf(SENTENCES, unpaced);
  const similarity = similaritiesTo(vectors, 0);
  expect(similarity(0)).toBeCloseTo(1, 9);
  expect(similarity(3)).toBe(0);
  expect(similarity(1)).toBeGreaterThan(similarity(2) / 2);
});

it('no sentences and sentences without content are ranked without error', async () => {
  expect([...(await rankSentences(await vectorsOf([], unpaced), unpaced))]).toEqual([]);
  expect([...(await rankSentences(await vectorsOf([[], []], unpaced), unpaced))]).toEqual([1, 1]);
});
