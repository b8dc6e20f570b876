import { visibleText } from '#text/normalization/plain-text.ts';
import type { NumberWords, TargetOther, TargetWord } from '@jyutsing/contracts/pronunciation';
import type { Clause, PlacedWord } from '#text/pronunciation/split-clauses.ts';
import { integerInWords, ordinalInWords } from '#text/normalization/english/english-numbers.ts';
import { englishNumberWordings } from './number-wordings.ts';
import { acceptedPronunciations } from './accents.ts';
import type { PronounceWord } from './pronounce-word.ts';

const LETTERS = /^[A-Z](?: [A-Z])+$/u;
const PRONOUNCEABLE = /[\p{Script=Latin}\d]/u;
const LETTER_A: readonly string[] = ['EY1'];

/**
 * The units of a clause in English, word by word: numbers and letters in words, parts of compounds
 * separately. Words of other languages are `other`. For heteronyms (I read it), the pronunciation
 * that fits the context comes first; the others are accepted too.
 */
export function englishUnits(clause: Clause, original: string, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  return clause.words.flatMap((word) => {
    const units = unitsOf(shownAs(word, original), pronounce);
    return withOtherWordings(units, word, pronounce);
  });
}

/** Numbers of one word. */
const SINGLE_WORDS = [...Array.from({ length: 20 }, (_, number) => number), 20, 30, 40, 50, 60, 70, 80, 90].map(String);
const CARDINALS = [...SINGLE_WORDS.map(integerInWords), 'hundred', 'thousand', 'million', 'half', 'quarter'];
const ORDINALS = SINGLE_WORDS.slice(1).map(ordinalInWords);

/** The words of numbers by kind and text: in the place of one, another would be wrong. */
export function englishNumbers(pronounce: PronounceWord): NumberWords[] {
  return [CARDINALS, ORDINALS].map((kind) => {
    const words = kind.flatMap((word) => unitOf(word, { isLetter: false, reading: [] }, pronounce));
    return Object.fromEntries(words.flatMap((word) => (word.kind === 'word' ? [[word.text, word]] : [])));
  });
}

/** Adds the other ways to say a number to its first unit. */
function withOtherWordings(
  units: readonly (TargetWord | TargetOther)[],
  { language, written, spokenForm }: PlacedWord,
  pronounce: PronounceWord,
): readonly (TargetWord | TargetOther)[] {
  const [first, ...rest] = units;
  if (language !== 'english' || first?.kind !== 'word') return units;
  const otherWordings = englishNumberWordings(visibleText(written, 'english'), spokenForm).map((words) => ({
    replaces: units.length,
    units: words
      .split(' ')
      .flatMap((word) => unitOf(word, { isLetter: /^[A-Z]$/u.test(word), reading: [] }, pronounce)),
  }));
  return otherWordings.length === 0 ? units : [{ ...first, otherWordings }, ...rest];
}

const SHOUTED = /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u;
const CAPITALS = /[A-Z]{2,}/gu;
const MIN_SHOUTED_WORDS = 2;

/**
 * Converts a text in capitals (WE CALL IT A DAY), as in books for learners, to lower case, since
 * its words would be taken for acronyms. A single word in capitals is converted only if it is a
 * known word (JOB, not MTR).
 */
export function withoutShouting(text: string, isWord: (word: string) => boolean): string {
  const words = text.match(CAPITALS) ?? [];
  const [only = ''] = words;
  const isMeant =
    text.trim().split(/\s+/u).length >= MIN_SHOUTED_WORDS || (only.length > 2 && isWord(only.toLowerCase()));
  return words.length > 0 && SHOUTED.test(text) && isMeant
    ? text.replace(/[A-Z]+/gu, (word) => word.toLowerCase())
    : text;
}

/** The word with the letters of the request, if only their case was changed. */
function shownAs(word: PlacedWord, original: string): PlacedWord {
  const requested = word.at < 0 ? '' : original.slice(word.at, word.at + word.written.length);
  return requested.toLowerCase() === word.spokenForm.toLowerCase() && !LETTERS.test(word.spokenForm)
    ? { ...word, spokenForm: requested }
    : word;
}

function unitsOf(word: PlacedWord, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  if (word.language !== 'english') return [{ kind: 'other', text: word.spokenForm, afterPause: false }];
  const isLetters = LETTERS.test(word.spokenForm);
  // The pronoun and the article are letters only within an abbreviation.
  const parts = word.spokenForm.split(/\s+/u).flatMap(partsOf);
  return parts.flatMap((part) =>
    unitOf(part, { isLetter: isLetters, reading: parts.length === 1 ? word.reading : [] }, pronounce),
  );
}

/** Divides a word at its hyphens. */
function partsOf(word: string): string[] {
  return word.split(/[-‐‑–/_.]/u).filter((part) => PRONOUNCEABLE.test(part));
}

type Hint = { isLetter: boolean; reading: readonly string[] };

function unitOf(text: string, { isLetter, reading }: Hint, pronounce: PronounceWord): (TargetWord | TargetOther)[] {
  const pronounced = isLetter && text === 'A' ? [LETTER_A] : pronounce(text);
  const candidates = reading.length > 0 ? [reading, ...pronounced] : pronounced;
  const pronunciations = acceptedPronunciations(text.toLowerCase().replaceAll('’', "'"), candidates);
  if (pronunciations.length > 0) return [{ kind: 'word', text, pronunciations, afterPause: false }];
  return [{ kind: 'other', text, afterPause: false }];
}
