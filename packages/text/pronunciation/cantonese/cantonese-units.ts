import type { TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { shownCharacters } from '#text/pronunciation/shown-characters.ts';
import type { Clause, PlacedWord } from '#text/pronunciation/split-clauses.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import type { AcceptReadings, ReadCharacter } from './accepted-readings.ts';
import { LETTER_NAMES } from './letter-names.ts';

const LETTERS = /^[A-Z](?: [A-Z])*$/u;
const HAN = /\p{Script=Han}/u;
const NUMERALS = /^[零〇一二三四五六七八九十百千萬億點負]+$/u;

/**
 * The units of a clause in Cantonese: a syllable for each character, letters if their name is one
 * syllable; words of other languages are `other`. Syllables show the characters that were written,
 * those of a verbalized token the characters that are spoken.
 */
export function cantoneseUnits(clause: Clause, accept: AcceptReadings): (TargetSyllable | TargetOther)[] {
  const units: (TargetSyllable | TargetOther)[] = [];
  const readings = accept(clause.words.flatMap(charactersOf));
  let at = 0;
  for (const word of clause.words) {
    const characters = charactersOf(word);
    const shown = shownCharacters(word);
    if (word.language !== 'cantonese') units.push(...foreignUnits(word));
    else {
      characters.forEach(({ char }, index) => {
        const unitReadings = readings[at + index] ?? [];
        const text = shown[index] ?? char;
        if (unitReadings.length > 0) units.push({ kind: 'syllable', text, readings: unitReadings, afterPause: false });
        else if (HAN.test(char)) units.push({ kind: 'other', text, afterPause: false });
      });
    }
    at += characters.length;
  }
  return units;
}

/**
 * One entry for each character; a word of another language is one entry, which separates its
 * neighbors.
 */
function charactersOf({ language, spokenForm, reading }: PlacedWord): ReadCharacter[] {
  if (language !== 'cantonese') return [{ char: '*', reading: null, isInWord: true, isNumeral: false }];
  const chars = Array.from(spokenForm);
  const isInWord = chars.length > 1;
  // If one character of a word has no syllable, the reading does not show which.
  const readings =
    reading.length === chars.length ? reading : textToJyutping(spokenForm).map(({ jyutping }) => jyutping);
  const isNumeral = (index: number) => NUMERALS.test((chars[index - 1] ?? '') + (chars[index] ?? ''));
  return chars.map((char, index) => ({
    char,
    reading: readings[index] ?? null,
    isInWord,
    // 六 beside another digit; alone it may be part of any word.
    isNumeral: isInWord && ((index > 0 && isNumeral(index)) || (index < chars.length - 1 && isNumeral(index + 1))),
  }));
}

function foreignUnits({ spokenForm }: PlacedWord): (TargetSyllable | TargetOther)[] {
  if (!LETTERS.test(spokenForm)) return [{ kind: 'other', text: spokenForm, afterPause: false }];
  return spokenForm.split(' ').map((letter) => {
    const name = LETTER_NAMES.get(letter);
    return name === undefined
      ? { kind: 'other', text: letter, afterPause: false }
      : { kind: 'syllable', text: letter, readings: [name], afterPause: false };
  });
}
