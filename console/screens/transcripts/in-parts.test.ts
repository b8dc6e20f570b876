import { expect, it } from 'vitest';
import { deleteInParts } from './in-parts.ts';

const IDS = Array.from({ length: 250 }, (_, index) => String(index));

it('deletes any number in parts of a hundred', async () => {
  const sizes: number[] = [];
  const { deleted, failure } = await deleteInParts(IDS, async ({ length }) => sizes.push(length));
  expect([sizes, deleted, failure]).toEqual([[100, 100, 50], IDS, null]);
});

it('tells which are gone when a part fails', async () => {
  const refused = new Error('no connection');
  const { deleted, failure } = await deleteInParts(IDS, async ([first]) => {
    if (first !== '0') throw refused;
  });
  expect([deleted, failure]).toEqual([IDS.slice(0, 100), refused]);
});
