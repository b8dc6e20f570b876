import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { randomSsml } from '#testbed/clients/random-ssml.ts';
import { wordsOfSsml } from '#text/testing/spoken-ssml.ts';
import { isSsml } from './read-ssml.ts';

const CASES = 2_000;
const PLACE = /^Line \d+, column \d+ of the SSML: [^]+\.$/u;

test('2,000 documents, most of them damaged, give words or the place of their fault', async () => {
  const faults: string[] = [];
  let spoken = 0;
  for (let seed = 1; seed <= CASES; seed += 1) {
    const document = randomSsml(randomFrom(seed));
    if (!isSsml(document)) continue;
    try {
      await wordsOfSsml(document, 'cantonese');
      spoken += 1;
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'invalid_request' && PLACE.test(error.message);
      if (!isRefused) faults.push(`${seed}: ${String(error)} for ${document}`);
    }
  }
  expect(faults).toEqual([]);
  expect(spoken).toBeGreaterThan(CASES / 5);
  expect(spoken).toBeLessThan((4 * CASES) / 5);
});
