import type { SyllableLanguage, SyllableParts } from './syllable-language.ts';

const ONSET_COST = 1.5;
const NUCLEUS_COST = 2;
const CODA_COST = 1;
const TONE_COST = 0.75;

/**
 * Finds the syllable of the model most similar to one that it lacks, by differences of onset,
 * nucleus, coda and tone; −1 when there is none. Codas of one place of articulation (-p/-m, -t/-n,
 * -k/-ng) count half.
 */
export function createNearestSyllable(
  syllables: readonly string[],
  language: SyllableLanguage,
  isAllowed: (number: number) => boolean = () => true,
): (syllable: string) => number {
  const partsByNumber = syllables.map((unit, number) => (isAllowed(number) ? language.parts(unit) : null));
  const nearestBySyllable = new Map<string, number>();
  return (syllable) => {
    const remembered = nearestBySyllable.get(syllable);
    if (remembered !== undefined) return remembered;
    const target = language.parts(syllable);
    let nearest = -1;
    let nearestCost = Infinity;
    partsByNumber.forEach((parts, number) => {
      if (target === null || parts === null) return;
      const cost = distance(target, parts);
      if (cost < nearestCost) [nearest, nearestCost] = [number, cost];
    });
    nearestBySyllable.set(syllable, nearest);
    return nearest;
  };
}

/** Maps stops to the nasals of the same place of articulation. */
const CODA_PLACES: Readonly<Record<string, string>> = { p: 'm', t: 'n', k: 'ng' };

const place = (coda: string): string => CODA_PLACES[coda] ?? coda;

function distance(a: SyllableParts, b: SyllableParts): number {
  return (
    (a.onset === b.onset ? 0 : ONSET_COST) +
    (a.nucleus === b.nucleus ? 0 : NUCLEUS_COST) +
    (a.coda === b.coda ? 0 : place(a.coda) === place(b.coda) ? CODA_COST / 2 : CODA_COST) +
    (a.tone === b.tone ? 0 : TONE_COST)
  );
}
