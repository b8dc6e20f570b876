import { pronunciationVariants } from '#text/syllables/jyutping.ts';
import { openJyutpingDictionary } from '#text/readings/jyutping-dictionary.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import { withPrivateCharacters } from '#text/script/fold-characters.ts';
import { readingForm } from '#text/script/reading-form.ts';
import { READING_VARIANTS } from './reading-variants.ts';

/** Limit of readings: with more, a term would match words that merely share characters with it. */
const MAX_READINGS = 4;
/**
 * Longest text whose characters may have any usual reading; in a longer one the context decides.
 */
const MAX_OPEN_CHARS = 4;

/**
 * Likely readings of a text, the likeliest first: lists with one syllable for each Chinese
 * character; empty if a character has no reading. A character whose reading depends on its word
 * keeps that reading, apart from a changed tone; others may have any usual reading, as in names.
 */
export function likelyReadings(text: string): string[][] {
  const characters = textToJyutping(withPrivateCharacters(readingForm(text))).filter(({ char }) =>
    /\p{Script=Han}/u.test(char),
  );
  const usual: string[] = [];
  for (const { jyutping } of characters) {
    if (jyutping === null) return [];
    usual.push(jyutping);
  }
  if (usual.length === 0) return [];
  const readings = [usual];
  if (usual.length > MAX_OPEN_CHARS) return readings;
  const inWords = readingsInWords(characters.map(({ char }) => char));
  for (const [index, { char }] of characters.entries()) {
    const isDecidedByWord = inWords[index]!.has(usual[index]!);
    for (const other of alternatives(char, usual[index]!, isDecidedByWord)) readings.push(usual.with(index, other));
  }
  return readings.slice(0, MAX_READINGS);
}

function alternatives(char: string, reading: string, isDecidedByWord: boolean): string[] {
  const listed = READING_VARIANTS.get(char);
  if (listed === undefined || !listed.includes(reading)) return [];
  return listed.filter((other) => {
    // Mergers such as n/l are compared elsewhere, for all syllables.
    if (other === reading || pronunciationVariants(reading).includes(other)) return false;
    return !isDecidedByWord || isChangedTone(reading, other);
  });
}

/** Whether one reading is the other with the high rising changed tone of everyday words. */
function isChangedTone(a: string, b: string): boolean {
  return a.slice(0, -1) === b.slice(0, -1) && (a.endsWith('2') || b.endsWith('2'));
}

/** For each character, its readings in words of several characters, unless they are usual. */
function readingsInWords(characters: readonly string[]): Set<string>[] {
  const dictionary = openJyutpingDictionary();
  const inWords = characters.map(() => new Set<string>());
  for (const from of characters.keys()) {
    for (const { length, readings } of dictionary.wordsAt(characters, from)) {
      if (length === 1) continue;
      for (const [offset, syllable] of readings.flatMap((syllables) => [...syllables.entries()])) {
        const usual = dictionary.wordsAt(characters.slice(from + offset, from + offset + 1), 0)[0]?.readings[0]?.[0];
        if (syllable !== usual) inWords[from + offset]!.add(syllable);
      }
    }
  }
  return inWords;
}
