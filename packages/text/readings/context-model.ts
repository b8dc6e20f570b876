import { readFileSync } from 'node:fs';

const MODEL = new URL('../../../models/cantonese-readings/contexts.json', import.meta.url);

/** The beginning or the end of a text, as a neighbor. */
const EDGE = '$';

/**
 * For each character that is read in several ways: its readings, and for each feature of a context
 * the log-odds that it adds to them, in the same order; the feature '' is in every context.
 */
export type StoredContexts = Record<string, { readings: string[]; weights: Record<string, number[]> }>;

/** How unlikely the readings of a character are in a context: syllable → −ln of its probability. */
export type ReadingCosts = ReadonlyMap<string, number>;

export type ContextModel = {
  /**
   * The costs of the readings of a character of a text; null for one that the model has not, or
   * not with the reading that a rule gives it.
   */
  costsAt(characters: readonly string[], at: number, ruled: string | undefined): ReadingCosts | null;
};

/** A rule adds this to the log-odds of its reading, unless the texts say otherwise. */
export const RULE_ODDS = 9;

let shipped: ContextModel | null = null;

/** The model that training/readings/fit-contexts.ts fitted; loaded on first use. */
export function shippedContextModel(): ContextModel {
  return (shipped ??= contextModelOf(JSON.parse(readFileSync(MODEL, 'utf8')) as StoredContexts));
}

/** A multinomial logistic regression for each character (see `contextFeatures`). */
function contextModelOf(stored: StoredContexts): ContextModel {
  const contexts = new Map(
    Object.entries(stored).map(([character, { readings, weights }]) => [
      character,
      { readings, weights: new Map(Object.entries(weights)) },
    ]),
  );
  return {
    costsAt: (characters, at, ruled) => {
      const context = contexts.get(characters[at]!);
      if (context === undefined) return null;
      const { readings, weights } = context;
      if (ruled !== undefined && !readings.includes(ruled)) return null;
      const odds = readings.map((reading): number => (reading === ruled && !weights.has(ruled) ? RULE_ODDS : 0));
      for (const feature of contextFeatures(characters, at, ruled)) {
        const added = weights.get(feature);
        if (added === undefined) continue;
        for (const [index, weight] of added.entries()) odds[index]! += weight;
      }
      const highest = Math.max(...odds);
      const total = highest + Math.log(odds.reduce((sum, value) => sum + Math.exp(value - highest), 0));
      return new Map(readings.map((reading, index) => [reading, total - odds[index]!]));
    },
  };
}

/**
 * The features of a character's context: the characters beside it, by themselves and together, and
 * the reading that a rule gives.
 */
export function contextFeatures(characters: readonly string[], at: number, ruled: string | undefined): string[] {
  const [before = EDGE, after = EDGE] = [characters[at - 1], characters[at + 1]];
  const twoBefore = (at > 1 ? characters[at - 2]! : EDGE) + before;
  const twoAfter = after + (characters[at + 2] ?? EDGE);
  const features = [
    '',
    `${before}_`,
    `_${after}`,
    `${twoBefore}_`,
    `_${twoAfter}`,
    `${before}_${after}`,
    `${twoBefore[0]}?_`,
    `_?${twoAfter.at(-1)}`,
    `_…${characters.at(-1)}`,
  ];
  if (ruled !== undefined) features.push(ruled);
  return features;
}
