import { visibleText } from '#text/normalization/plain-text.ts';
import type { TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { shownCharacters } from '#text/pronunciation/shown-characters.ts';
import type { Clause, PlacedWord } from '#text/pronunciation/split-clauses.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import type { AcceptReadings, ReadCharacter } from './accepted-readings.ts';
import { LETTER_NAMES } from './letter-names.ts';
import { numberWordings } from './number-wordings.ts';

type Unit = TargetSyllable | TargetOther;

const LETTERS = /^[A-Z](?: [A-Z])*$/u;
const HAN = /\p{Script=Han}/u;
const NUMERALS = /^[零〇一二三四五六七八九十百千萬億點負]+$/u;

/**
 * The units of a clause in Cantonese: a syllable for each character, letters if their name is one
 * syllable; words of other languages are `other`. Syllables show the characters that were written,
 * those of a verbalized token the characters that are spoken.
 */
export function cantoneseUnits(clause: Clause, accept: AcceptReadings): Unit[] {
  const readings = accept(clause.words.flatMap(charactersOf));
  let at = 0;
  const byWord = clause.words.map((word) => {
    const from = at;
    at += charactersOf(word).length;
    return unitsOf(word, readings.slice(from, at));
  });
  return byWord.flatMap((units, index) => withOtherWordings(units, clause.words, index, byWord, accept));
}

function unitsOf(word: PlacedWord, readings: readonly (readonly string[])[]): Unit[] {
  if (word.language !== 'cantonese') return foreignUnits(word);
  const shown = shownCharacters(word);
  return charactersOf(word).flatMap(({ char }, index): Unit[] => {
    const unitReadings = readings[index] ?? [];
    const text = shown[index] ?? char;
    if (unitReadings.length > 0) return [{ kind: 'syllable', text, readings: unitReadings, afterPause: false }];
    return HAN.test(char) ? [{ kind: 'other', text, afterPause: false }] : [];
  });
}

/** Adds the other ways to say a number to its first unit. */
function withOtherWordings(
  units: readonly Unit[],
  words: readonly PlacedWord[],
  index: number,
  byWord: readonly (readonly Unit[])[],
  accept: AcceptReadings,
): readonly Unit[] {
  const word = words[index]!;
  const [first, ...rest] = units;
  if (word.language !== 'cantonese' || first?.kind !== 'syllable') return units;
  const next = words[index + 1];
  const after = next?.language === 'cantonese' ? next.spokenForm : '';
  const written = visibleText(word.written, 'cantonese');
  const otherWordings = numberWordings(written, word.spokenForm, after).flatMap(({ spokenForm, takesNext }) => {
    const spoken = { ...word, written: spokenForm, spokenForm, reading: [] };
    const replaces = units.length + (takesNext ? byWord[index + 1]!.length : 0);
    const replacing = unitsOf(spoken, accept(charactersOf(spoken)));
    return replacing.length === 0 ? [] : [{ replaces, units: replacing }];
  });
  return otherWordings.length === 0 ? units : [{ ...first, otherWordings }, ...rest];
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
