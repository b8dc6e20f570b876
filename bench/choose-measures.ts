/** Says that a word names neither an ability nor a measure of the ability before it. */
export class UnknownMeasureError extends Error {}

/**
 * Returns the measures that words choose: an ability stands for all of its measures, or for those
 * that are named behind it. Throws `UnknownMeasureError`.
 */
export function chooseMeasures<Measure>(
  words: readonly string[],
  abilities: Readonly<Record<string, Readonly<Record<string, Measure>>>>,
): { name: string; measure: Measure }[] {
  const chosen: { ability: string; measures: string[] }[] = [];
  for (const word of words) {
    const last = chosen.at(-1);
    if (last !== undefined && Object.hasOwn(abilities[last.ability]!, word)) last.measures.push(word);
    else if (Object.hasOwn(abilities, word)) chosen.push({ ability: word, measures: [] });
    else {
      const possible = [...Object.keys(last === undefined ? {} : abilities[last.ability]!), ...Object.keys(abilities)];
      throw new UnknownMeasureError(`There is no "${word}". Possible here: ${[...new Set(possible)].join(', ')}.`);
    }
  }
  return chosen.flatMap(({ ability, measures }) => {
    const all = abilities[ability]!;
    const names = measures.length === 0 ? Object.keys(all) : measures;
    return names.map((name) => ({ name: `${ability} ${name}`, measure: all[name]! }));
  });
}
