import { NUMBER_RULES } from './number-rules.ts';
import type { ReadingRule } from './reading-rule.ts';
import { READING_RULES } from './reading-rules.ts';
import { WORD_SPLITTING_RULES } from './word-splitting-rules.ts';

/** A syllable that a rule gives a character. */
export type RuledReading = {
  syllable: string;
  /** Whether it holds whatever words say, as that of a number does. */
  isCertain: boolean;
  /** Whether it holds whatever the context says, too. */
  isFixed: boolean;
};

/** The syllables of characters in numbers, whatever their neighbors: 二六 is no word. */
const NUMERALS: Readonly<Record<string, string>> = {
  零: 'ling4',
  〇: 'ling4',
  一: 'jat1',
  二: 'ji6',
  三: 'saam1',
  四: 'sei3',
  五: 'ng5',
  六: 'luk6',
  七: 'cat1',
  八: 'baat3',
  九: 'gau2',
  十: 'sap6',
  百: 'baak3',
  千: 'cin1',
  萬: 'maan6',
  億: 'jik1',
};
/** A character of a number beside another one. */
const IN_NUMBER =
  /(?<=[零〇一二三四五六七八九十百千萬億點])[零〇一二三四五六七八九十百千萬億]|[零〇一二三四五六七八九十百千萬億](?=[零〇一二三四五六七八九十百千萬億])/gu;

/** The readings that rules decide, by the place of the character in a text; the last rule wins. */
export function ruledReadings(text: string): Map<number, RuledReading> {
  const places = placesOf(text);
  const ruled = new Map<number, RuledReading>();
  for (const match of text.matchAll(IN_NUMBER)) {
    ruled.set(places[match.index]!, { syllable: NUMERALS[match[0]]!, isCertain: true, isFixed: false });
  }
  apply(READING_RULES, { isCertain: false, isFixed: false });
  apply(WORD_SPLITTING_RULES, { isCertain: true, isFixed: true });
  apply(NUMBER_RULES, { isCertain: true, isFixed: false });
  return ruled;

  function apply(rules: readonly ReadingRule[], strength: Omit<RuledReading, 'syllable'>): void {
    for (const { pattern, syllable, characters } of rules) {
      if (!hasOneOf(text, characters)) continue;
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        ruled.set(places[match.index]!, { syllable, ...strength });
      }
    }
  }
}

function hasOneOf(text: string, characters: string): boolean {
  for (const character of characters) if (text.includes(character)) return true;
  return false;
}

/** Maps each UTF-16 unit to the index of its character. */
function placesOf(text: string): number[] {
  const places: number[] = [];
  let count = 0;
  for (const char of text) {
    for (let unit = 0; unit < char.length; unit += 1) places.push(count);
    count += 1;
  }
  return places;
}
