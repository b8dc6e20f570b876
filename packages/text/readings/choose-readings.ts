import { isWrittenChinese, READ_OTHERWISE } from './written-chinese.ts';
import { shippedContextModel, type ReadingCosts } from './context-model.ts';
import { openJyutpingDictionary, type DictionaryWord } from './jyutping-dictionary.ts';
import { raiseDoubled } from './doubled-adjectives.ts';
import { UNLISTED_COST } from './word-list.ts';
import { ruledReadings, type RuledReading } from './rules/ruled-readings.ts';

/** The cost of a reading that the dictionary does not list first, in nats. */
const FURTHER_READING_COST = 3;
/** The highest cost of a reading that the context makes unlikely, in nats. */
const MAX_CONTEXT_COST = 6;
/** The cost of a word that reads a character otherwise than its rule, in nats. */
const CONTRADICTION_COST = 5;
/** That of a word that reads a character of a number otherwise. */
const NUMBER_COST = 20;
/** The characters of an idiom: such a word that has a frequency is known as a whole, 抱成一團. */
const IDIOM_LENGTH = 4;
/** The first character of a number, in which rules decide. */
const NUMERAL = /[零〇一二三四五六七八九十百千萬億兩幾]/u;
/** The cost of a character that no word has, in nats. */
const UNKNOWN_COST = 20;

/** The highest cost of a reading that a context does not exclude: a probability of 3 %. */
const MAX_LIKELY_COST = -Math.log(0.03);

/** A character of a text with its readings. */
export type ChosenReading = {
  /** The reading in this context; null if unknown. */
  reading: string | null;
  /** Every reading that a word gives the character here, those of the longest words first. */
  candidates: string[];
  /** The readings that the context of a character does not exclude, where it is a word here. */
  likely: string[];
};

/** The cheapest way to a place of the text: its cost, and its last word with a reading. */
type Way = { cost: number; syllables: readonly (string | null)[] };

/**
 * Chooses the reading of each character (code point) of a text: the cheapest sequence of words with
 * their readings (Viterbi 1967). A word costs what it is rare, and what the contexts of its
 * characters and the rules speak against its reading.
 */
export function chooseReadings(text: string): ChosenReading[] {
  const characters = Array.from(text);
  const dictionary = openJyutpingDictionary();
  const contexts = shippedContextModel();
  const wordsFrom = characters.map((_, from) => dictionary.wordsAt(characters, from));
  const ruled = ruledReadings(text);
  forgetWithinIdioms(characters, wordsFrom, ruled);
  const isWritten = isWrittenChinese(text);
  // A character without a context has the dictionary's usual reading, and so have some in written
  // Chinese, because the contexts are those of conversation.
  const contextCosts = characters.map((character, at) =>
    characters.length > 1 && !(isWritten && READ_OTHERWISE.has(character))
      ? contexts.costsAt(characters, at, ruled.get(at)?.syllable)
      : null,
  );
  for (const [at, decided] of ruled) {
    const costs = decided.isFixed ? null : contextCosts[at]!;
    if (costs !== null) ruled.set(at, { ...decided, syllable: cheapest(costs) });
  }
  const ways: (Way | undefined)[] = [{ cost: 0, syllables: [] }];
  /** For each character, its candidates by the length of the word. */
  const byLength = characters.map((): string[][] => []);
  for (const from of characters.keys()) {
    const { cost } = ways[from]!;
    const words = wordsFrom[from]!;
    if (words[0]?.length !== 1) reach(from + 1, cost + UNKNOWN_COST, [null]);
    for (const word of words) {
      for (const [rank, syllables] of readingsOf(word, from).entries()) {
        reach(from + word.length, cost + costOf(word, rank, syllables, from), syllables);
        for (const [offset, syllable] of syllables.entries()) {
          (byLength[from + offset]![word.length] ??= []).push(syllable);
        }
      }
    }
  }
  const readings: (string | null)[] = [];
  const isAlone = characters.map(() => false);
  for (let at = characters.length; at > 0; at -= ways[at]!.syllables.length) {
    const { syllables } = ways[at]!;
    readings.push(...syllables.toReversed());
    isAlone[at - 1] = syllables.length === 1;
  }
  readings.reverse();
  const chosen = readings.map((reading, at) => (isAlone[at] ? (ruled.get(at)?.syllable ?? reading) : reading));
  return raiseDoubled(characters, chosen).map((reading, at) => ({
    reading,
    candidates: [...new Set(Object.values(byLength[at]!).toReversed().flat())],
    likely: isAlone[at] ? likelyIn(contextCosts[at]!) : [],
  }));

  function reach(to: number, cost: number, syllables: readonly (string | null)[]): void {
    const way = ways[to];
    if (way === undefined || cost < way.cost) ways[to] = { cost, syllables };
  }

  /** Readings of a word; of a character by itself, those of its context too. */
  function readingsOf(word: DictionaryWord, from: number): readonly (readonly string[])[] {
    const costs = word.length === 1 ? contextCosts[from]! : null;
    if (costs === null) return word.readings;
    const further = [...costs.keys()].filter((syllable) => !word.readings.some(([reading]) => reading === syllable));
    return further.length === 0 ? word.readings : [...word.readings, ...further.map((syllable) => [syllable])];
  }

  function costOf(word: DictionaryWord, rank: number, syllables: readonly string[], from: number): number {
    let { cost } = word;
    if (word.length === 1) {
      if (ruled.has(from)) return cost;
      const costs = contextCosts[from]!;
      if (costs !== null) return cost + Math.min(costs.get(syllables[0]!) ?? Infinity, MAX_CONTEXT_COST);
    }
    if (rank > 0) cost += FURTHER_READING_COST;
    for (const [offset, syllable] of syllables.entries()) {
      const rule = ruled.get(from + offset);
      if (rule === undefined || rule.syllable === syllable) continue;
      cost += rule.isCertain ? NUMBER_COST : CONTRADICTION_COST;
    }
    return cost;
  }
}

/** Removes the rules within idioms, which are read as they are known. */
function forgetWithinIdioms(
  characters: readonly string[],
  wordsFrom: readonly (readonly DictionaryWord[])[],
  ruled: Map<number, RuledReading>,
): void {
  for (const [from, words] of wordsFrom.entries()) {
    const word = words.at(-1);
    if (word === undefined || word.length !== IDIOM_LENGTH || word.cost === UNLISTED_COST) continue;
    if (NUMERAL.test(characters[from]!) && NUMERAL.test(characters[from + 1]!)) continue;
    for (let at = from; at < from + word.length; at += 1) ruled.delete(at);
  }
}

function likelyIn(costs: ReadingCosts | null): string[] {
  return [...(costs ?? [])].flatMap(([reading, cost]) => (cost <= MAX_LIKELY_COST ? [reading] : []));
}

function cheapest(costs: ReadingCosts): string {
  const [[reading]] = [...costs].toSorted(([, one], [, other]) => one - other) as [[string, number]];
  return reading;
}
