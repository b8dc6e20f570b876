import type { TargetOther, TargetWord } from '#contracts/pronunciation.ts';
import type { Clause, PlacedWord } from '#language/pronunciation/spoken-clauses.ts';
import { acceptedPronunciations } from './accents.ts';
import type { PronounceWord } from './pronounce-word.ts';

const LETTERS = /^[A-Z](?: [A-Z])+$/u;
const CAN_BE_SAID = /[\p{Script=Latin}\d]/u;
const LETTER_A: readonly string[] = ['EY1'];

/**
 * What one says of a clause in English, word by word: numbers and letters as the words they are, hyphenated words in their
 * parts. Words of other languages are `other`. Where a word could be taken for another (I read it), the one that is
 * meant comes first; the others are accepted too.
 */
export function englishUnits(clause: Clause, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  return clause.words.flatMap((word) => unitsOf(word, pronounce));
}

function unitsOf(word: PlacedWord, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  if (word.language !== 'english') return [{ kind: 'other', text: word.said, afterPause: false }];
  const isLetters = LETTERS.test(word.said);
  // The pronoun and the article are letters of a row only where there is one.
  const parts = word.said.split(/\s+/u).flatMap(partsOf);
  return parts.flatMap((part) =>
    unitOf(part, { isLetter: isLetters, reading: parts.length === 1 ? word.reading : [] }, pronounce),
  );
}

/** Parts of a hyphenated word. */
function partsOf(word: string): string[] {
  return word.split(/[-‐‑–/_.]/u).filter((part) => CAN_BE_SAID.test(part));
}

type Hint = { isLetter: boolean; reading: readonly string[] };

function unitOf(text: string, { isLetter, reading }: Hint, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  const known = isLetter && text === 'A' ? [LETTER_A] : pronounce(text);
  const given = reading.length > 0 ? [reading, ...known] : known;
  const pronunciations = acceptedPronunciations(text.toLowerCase().replaceAll('’', "'"), given);
  if (pronunciations.length > 0) return [{ kind: 'word', text, pronunciations, afterPause: false }];
  return [{ kind: 'other', text, afterPause: false }];
}
