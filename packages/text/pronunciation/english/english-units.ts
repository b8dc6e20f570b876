import type { TargetOther, TargetWord } from '@jyutsing/contracts/pronunciation';
import type { Clause, PlacedWord } from '#text/pronunciation/split-clauses.ts';
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
export function englishUnits(clause: Clause, original: string, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  return clause.words.flatMap((word) => unitsOf(shownAs(word, original), pronounce));
}

const SHOUTED = /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u;
const CAPITALS = /[A-Z]{2,}/gu;
const LEAST_SHOUTED = 2;

/**
 * A text in capitals from end to end (WE CALL IT A DAY), as books for learners have them, in small letters: its words would be taken for
 * abbreviations. A word alone in capitals is one only when it is known as a word (JOB, not MTR).
 */
export function withoutShouting(text: string, isWord: (word: string) => boolean): string {
  const words = text.match(CAPITALS) ?? [];
  const [only = ''] = words;
  const isMeant = text.trim().split(/\s+/u).length >= LEAST_SHOUTED || (only.length > 2 && isWord(only.toLowerCase()));
  return words.length > 0 && SHOUTED.test(text) && isMeant
    ? text.replace(/[A-Z]+/gu, (word) => word.toLowerCase())
    : text;
}

/** The word with the letters that were sent, where they were changed only in case. */
function shownAs(word: PlacedWord, original: string): PlacedWord {
  const sent = word.at < 0 ? '' : original.slice(word.at, word.at + word.written.length);
  return sent.toLowerCase() === word.spokenForm.toLowerCase() && !LETTERS.test(word.spokenForm)
    ? { ...word, spokenForm: sent }
    : word;
}

function unitsOf(word: PlacedWord, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  if (word.language !== 'english') return [{ kind: 'other', text: word.spokenForm, afterPause: false }];
  const isLetters = LETTERS.test(word.spokenForm);
  // The pronoun and the article are letters of a row only where there is one.
  const parts = word.spokenForm.split(/\s+/u).flatMap(partsOf);
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
