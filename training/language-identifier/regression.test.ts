import { describe, expect, it } from 'vitest';
import { likeliest } from '#packages/engines/builtin/language-scores.ts';
import { createRandom } from '#packages/numeric/random.ts';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { fitRegression, type Example } from './regression.ts';

const CENTERS: Readonly<Record<Language, readonly number[]>> = {
  cantonese: [40, 0.1],
  mandarin: [10, -0.1],
  english: [40, -0.3],
};

function examples(source: string, language: Language, count: number, random: () => number): Example[] {
  return Array.from({ length: count }, () => ({
    source,
    language,
    values: [...CENTERS[language].map((center) => center * (0.9 + 0.2 * random())), 1],
  }));
}

const decide = (values: readonly number[], weights: ReturnType<typeof fitRegression>) =>
  likeliest(
    { values: [...values], unfamiliarity: 0 },
    null,
    { weights, people: weights, unfamiliar: [0, 1] },
    LANGUAGES,
  )?.language;

describe('regression of languages', () => {
  it('separates languages by inputs of any scale', () => {
    const random = createRandom(2);
    const all = LANGUAGES.flatMap((language) => examples(language, language, 40, random));
    const weights = fitRegression(all);
    for (const { values, language } of all) expect(decide(values, weights)).toBe(language);
  });

  it('a source with many clips counts no more than one with few', () => {
    const random = createRandom(3);
    const usual = LANGUAGES.flatMap((language) => examples(language, language, 20, random));
    // Recordings of one kind in which English has the inputs of Cantonese.
    const odd = examples('odd', 'english', 400, random).map((example) => ({ ...example, values: [40, 0.1, 1] }));
    const weights = fitRegression([...usual, ...odd, ...examples('more', 'cantonese', 20, random)]);
    expect(decide([40, -0.3, 1], weights)).toBe('english');
    expect(decide([10, -0.1, 1], weights)).toBe('mandarin');
  });
});
