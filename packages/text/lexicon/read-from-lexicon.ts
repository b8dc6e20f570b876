import type { LexiconWord } from '@jyutsing/contracts/corpus';
import type { SpokenPhrase, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import { lexiconForm } from './lexicon-form.ts';

const HAN = /\p{Script=Han}/u;
/** Number of characters up to which a word must begin where a word does: 行長 is not in 銀行長期. */
const LONGEST_SHORT = 2;
const ONLY_HAN = /^\p{Script=Han}+$/u;
/** A word for which SSML has another one: PE for 太子站. */
const REPLACED = /^\p{Script=Latin}{2,}$/u;

/**
 * A part of a phrase that belongs to a word of the lexicon wholly or not at all: a character with
 * its reading, or a word that has none of its own.
 */
type Unit = { text: string; word: number; syllable: number | null; isFixed: boolean };

/**
 * Returns the piece with the words of a lexicon read as it says, the longest of those that begin at
 * a place; of equal ones the first. Words of `fixed` keep their readings. A word without Chinese
 * characters becomes one Cantonese word.
 */
export function readFromLexicon(
  piece: SpokenPiece,
  lexicon: readonly LexiconWord[],
  fixed: ReadonlySet<SpokenWord>,
): SpokenPiece {
  if (lexicon.length === 0) return piece;
  return { ...piece, phrases: piece.phrases.map((phrase) => readPhrase(phrase, lexicon, fixed)) };
}

function readPhrase(
  phrase: SpokenPhrase,
  lexicon: readonly LexiconWord[],
  fixed: ReadonlySet<SpokenWord>,
): SpokenPhrase {
  const { words } = phrase;
  const units = words.flatMap((word, index) => unitsOf(word, index, fixed.has(word)));
  const readings = words.map(({ reading }) => [...reading]);
  const replaced = new Map<number, SpokenWord | null>();
  let lastEnd = 0;
  for (let at = 0; at < units.length;) {
    const found = longestAt(units, at, lexicon, lastEnd);
    if (found === null) {
      at += 1;
      continue;
    }
    const matched = units.slice(at, found.end);
    const { jyutping } = found.word;
    if (HAN.test(found.word.text)) {
      const characters = matched.filter(({ syllable }) => syllable !== null);
      for (const [index, { word, syllable }] of characters.entries()) readings[word]![syllable!] = jyutping[index]!;
    } else {
      for (const { word } of matched) replaced.set(word, null);
      const written = matched.map(({ word }) => words[word]!.written).join(' ');
      const first = words[matched[0]!.word]!;
      replaced.set(matched[0]!.word, { ...first, written, language: 'cantonese', reading: jyutping });
    }
    at = found.end;
    lastEnd = at;
  }
  const read = words.flatMap(
    (word, index) => replaced.get(index) ?? (replaced.has(index) ? [] : [withReading(word, readings[index]!)]),
  );
  return { ...phrase, words: read };
}

const withReading = (word: SpokenWord, reading: readonly string[]): SpokenWord =>
  word.reading.join(' ') === reading.join(' ') ? word : { ...word, reading };

function unitsOf({ written, language, spokenForm, reading }: SpokenWord, word: number, isFixed: boolean): Unit[] {
  const characters = Array.from(spokenForm);
  const isRead = language === 'cantonese' && ONLY_HAN.test(spokenForm) && characters.length === reading.length;
  // Numbers are found as they were written: 3香港.
  if (!isRead || !(HAN.test(written) || REPLACED.test(written)))
    return [{ text: lexiconForm(written), word, syllable: null, isFixed }];
  return characters.map((text, syllable) => ({ text, word, syllable, isFixed }));
}

/** Finds the longest word of the lexicon that begins with a unit and ends with one. */
function longestAt(units: readonly Unit[], at: number, lexicon: readonly LexiconWord[], lastEnd: number) {
  let longest: { word: LexiconWord; end: number } | null = null;
  for (const word of lexicon) {
    const end = endOf(units, at, word, lastEnd);
    if (end !== null && (longest === null || word.text.length > longest.word.text.length)) longest = { word, end };
  }
  return longest;
}

/** Whether the units before and after a place belong to one word. */
const isInsideWord = (units: readonly Unit[], place: number) => units[place - 1]?.word === units[place]?.word;

/**
 * Returns the unit after a word that begins at `at`; null if the word is not there. At `lastEnd`,
 * where the last word of the lexicon ended, a word may begin.
 */
function endOf(units: readonly Unit[], at: number, { text, jyutping }: LexiconWord, lastEnd: number): number | null {
  let end = at;
  let length = 0;
  let syllables = 0;
  while (length < text.length) {
    const unit = units[end];
    if (unit === undefined || unit.isFixed || unit.text === '' || !text.startsWith(unit.text, length)) return null;
    length += unit.text.length;
    syllables += unit.syllable === null ? 0 : 1;
    end += 1;
  }
  const isChinese = HAN.test(text);
  if (isChinese ? syllables !== jyutping.length : syllables > 0) return null;
  const beginsWord = at === lastEnd || !isInsideWord(units, at);
  if (!isChinese || end - at > LONGEST_SHORT) return end;
  return beginsWord && (end - at > 1 || !isInsideWord(units, end)) ? end : null;
}
