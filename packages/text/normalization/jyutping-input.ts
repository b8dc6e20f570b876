import { AppError } from '@jyutsing/contracts/errors';
import type { PhraseEnding, SpokenPhrase, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import { normalizeSyllable } from '#text/syllables/jyutping.ts';
import { meaningOfMarks } from './phrase-endings.ts';
import { joinPhrases } from './join-phrases.ts';
import { normalize } from './normalize.ts';
import { splitText } from './split-text.ts';

/**
 * Maximum length of a piece, the same as of pieces of text; the first piece ends at its first
 * comma.
 */
const MAX_SYLLABLES = 40;
const MAX_SHOWN_CHARACTERS = 20;
/** White space and punctuation between syllables; a run of either is one token. */
const TOKENS =
  /[\s\p{Cf}]+|[，。！？、；：…—,.!?;:()（）「」『』"“”]+|[^\s\p{Cf}，。！？、；：…—,.!?;:()（）「」『』"“”]+/gu;
const MARKS = /^[，。！？、；：…—,.!?;:()（）「」『』"“”]/u;
const SPACE = /^[\s\p{Cf}]/u;

/**
 * The syllables between two marks. `isMarked`: a mark was written, which ends a phrase even where
 * the text has none.
 */
type Clause = { syllables: string[]; ending: PhraseEnding; endsSentence: boolean; isMarked: boolean };

/**
 * Parses jyutping that is to be spoken exactly as given: syllables separated by spaces and
 * punctuation, which defines phrases and endings. Beside a text, the syllables are assigned in
 * order to its Cantonese words: one to each Chinese character and to each character of numbers in
 * words (12 takes two, 十二); English words stay English, and the text's own punctuation counts too.
 * Throws `invalid_request` for an invalid syllable (lower case, tone 1–6), or another number of
 * syllables than the text needs. Punctuation alone gives no pieces.
 */
export function piecesOfJyutping(jyutping: string, text: string | null): SpokenPiece[] {
  const clauses = clausesOf(jyutping);
  return text === null ? piecesOf(clauses.map(phraseOf)) : piecesWithText(clauses, text);
}

function phraseOf({ syllables, ending, endsSentence }: Clause): { phrase: SpokenPhrase; endsSentence: boolean } {
  const words = syllables.map((spokenForm): SpokenWord => ({
    written: spokenForm,
    language: 'cantonese',
    spokenForm,
    reading: [spokenForm],
  }));
  return { phrase: { words, ending }, endsSentence };
}

const neededBy = (word: SpokenWord) => (word.language === 'cantonese' ? Array.from(word.spokenForm).length : 0);

function piecesWithText(clauses: readonly Clause[], text: string): SpokenPiece[] {
  const syllables = clauses.flatMap((clause) => clause.syllables);
  const pieces = splitText(text, 'cantonese').flatMap((piece) => normalize(piece, 'cantonese') ?? []);
  let needed = 0;
  for (const { phrases } of pieces) for (const { words } of phrases) for (const word of words) needed += neededBy(word);
  if (needed !== syllables.length) {
    const counts = `The jyutping has ${counted(syllables.length, 'syllable')}, but the text has ${counted(needed, 'character')} to be read in Cantonese`;
    throw new AppError('invalid_request', `${counts}; give one syllable for each.`);
  }
  const endings = new Map<number, PhraseEnding>();
  let end = 0;
  for (const { syllables: clauseSyllables, ending, isMarked } of clauses) {
    end += clauseSyllables.length;
    if (isMarked) endings.set(end, ending);
  }
  let at = 0;
  return pieces.map((piece) => {
    const phrases: SpokenPhrase[] = [];
    for (const phrase of piece.phrases) {
      let words: SpokenWord[] = [];
      phrase.words.forEach((word, index) => {
        const reading = syllables.slice(at, at + neededBy(word));
        at += reading.length;
        words.push({ ...word, reading });
        const ending = index < phrase.words.length - 1 && reading.length > 0 ? endings.get(at) : undefined;
        if (ending === undefined) return;
        phrases.push({ words, ending });
        words = [];
      });
      phrases.push({ words, ending: phrase.ending });
    }
    return { ...piece, phrases, spokenForm: joinPhrases(phrases, 'cantonese') };
  });
}

const counted = (count: number, name: string) => `${count} ${count === 1 ? name : `${name}s`}`;

function clausesOf(jyutping: string): Clause[] {
  const clauses: Clause[] = [];
  let syllables: string[] = [];
  for (const [token] of jyutping.matchAll(TOKENS)) {
    if (SPACE.test(token)) continue;
    if (!MARKS.test(token)) {
      const syllable = token === token.toLowerCase() ? normalizeSyllable(token) : null;
      if (syllable === null) throw new AppError('invalid_request', faultOf(token));
      syllables.push(syllable);
      continue;
    }
    const { ending, endsSentence } = meaningOfMarks(token);
    if (ending === 'none' || syllables.length === 0) continue;
    clauses.push({ syllables, ending, endsSentence, isMarked: true });
    syllables = [];
  }
  if (syllables.length > 0) clauses.push({ syllables, ending: 'statement', endsSentence: true, isMarked: false });
  return clauses;
}

/**
 * Describes an invalid syllable, quoted in a short form of characters that are safe in logs and
 * headers.
 */
function faultOf(token: string): string {
  const shown = Array.from(token.slice(0, 2 * MAX_SHOWN_CHARACTERS))
    .slice(0, MAX_SHOWN_CHARACTERS)
    .map((char) => (/[A-Za-z0-9'-]/.test(char) ? char : '?'))
    .join('');
  const name = token.length > shown.length ? `${shown}...` : shown;
  if (token !== token.toLowerCase() && normalizeSyllable(token) !== null) {
    return `"${name}" has a capital letter; write jyutping in lower case, as in "nei5 hou2".`;
  }
  const fault = /[1-6]$/.test(token) ? 'is no syllable of jyutping' : 'has no tone, 1 to 6, at its end';
  return `"${name}" ${fault}; write syllables with spaces between them, as in "nei5 hou2".`;
}

/**
 * Divides phrases into pieces: sentences, long ones cut between phrases and, where a phrase is
 * longer than a breath, between words.
 */
function piecesOf(phrases: readonly { phrase: SpokenPhrase; endsSentence: boolean }[]): SpokenPiece[] {
  const pieces: SpokenPiece[] = [];
  let piece: SpokenPhrase[] = [];
  let count = 0;
  const close = (endsSentence: boolean) => {
    if (piece.length > 0) pieces.push({ phrases: piece, spokenForm: joinPhrases(piece, 'cantonese'), endsSentence });
    piece = [];
    count = 0;
  };
  for (const { phrase, endsSentence } of phrases.flatMap(splitLongPhrase)) {
    const isFirst = pieces.length === 0 && piece.length > 0;
    if (isFirst || count + phrase.words.length > MAX_SYLLABLES) close(false);
    piece.push(phrase);
    count += phrase.words.length;
    if (endsSentence) close(true);
  }
  close(true);
  return pieces;
}

function splitLongPhrase({ phrase, endsSentence }: { phrase: SpokenPhrase; endsSentence: boolean }) {
  const parts: { phrase: SpokenPhrase; endsSentence: boolean }[] = [];
  for (let start = 0; start < phrase.words.length; start += MAX_SYLLABLES) {
    const words = phrase.words.slice(start, start + MAX_SYLLABLES);
    const isLast = start + MAX_SYLLABLES >= phrase.words.length;
    parts.push({ phrase: { words, ending: isLast ? phrase.ending : 'none' }, endsSentence: isLast && endsSentence });
  }
  return parts;
}
