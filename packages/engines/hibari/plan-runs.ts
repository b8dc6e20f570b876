import { AppError } from '@jyutsing/contracts/errors';
import type { PhraseEnding, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import { startOf, type Following, type SpellWord } from './spell-word.ts';

/** The letters of a word within those of its run, `to` not included. */
export type PlacedWord = { written: string; from: number; to: number };

/** Words that the graph says in one go, and what follows them. */
export type Run = { letters: readonly string[]; words: readonly PlacedWord[]; ending: PhraseEnding };

/** The first run of a request is short, for an early beginning; later ones have more melody. */
const FIRST_LETTERS = 40;
const MORE_LETTERS = 100;
/** Longest run without punctuation: memory grows with it, and the graph knows 500 letters. */
const MOST_LETTERS = 200;
const MARKS: Readonly<Record<PhraseEnding, string>> = {
  none: '',
  comma: ',',
  statement: '.',
  question: '?',
  exclamation: '!',
  ellipsis: '…',
};

/**
 * Divides pieces into runs, at the ends of clauses and pieces, and within clauses that are too
 * long. Throws `text_not_readable` for a word with letters that the voice cannot say.
 */
export function* planRuns(pieces: readonly SpokenPiece[], spell: SpellWord): Generator<Run> {
  let isFirst = true;
  for (const { phrases } of pieces) {
    let run = emptyRun();
    for (const [index, { words, ending }] of phrases.entries()) {
      for (const { written, letters } of spellPhrase(words, spell)) {
        if (run.letters.length + letters.length > MOST_LETTERS) {
          yield run;
          run = emptyRun();
        }
        add(run, written, letters);
      }
      run.letters.push(...MARKS[ending]);
      run.ending = ending;
      const isLong = run.letters.length >= (isFirst ? FIRST_LETTERS : MORE_LETTERS);
      if ((!isLong && index < phrases.length - 1) || run.words.length === 0) continue;
      yield run;
      isFirst = false;
      run = emptyRun();
    }
  }
}

type OpenRun = { letters: string[]; words: PlacedWord[]; ending: PhraseEnding };

const emptyRun = (): OpenRun => ({ letters: [], words: [], ending: 'none' });

function add({ letters, words }: OpenRun, written: string, spelled: readonly string[]): void {
  if (letters.length > 0) letters.push(' ');
  const from = letters.length;
  letters.push(...spelled);
  words.push({ written, from, to: letters.length });
}

/** Spells the words of a clause from the last to the first, since some depend on the next one. */
function spellPhrase(words: readonly SpokenWord[], spell: SpellWord) {
  const spelled: { written: string; letters: string[] }[] = [];
  let following: Following = null;
  let next = '';
  for (const word of words.toReversed()) {
    if (!/[\p{L}\p{N}]/u.test(word.spokenForm)) continue;
    const letters = word.language === 'english' ? spell(word, following, next === 'to') : '';
    if (letters === '')
      throw new AppError(
        'text_not_readable',
        `The voice has no sound for "${word.spokenForm}": leave it out, or write how it is said.`,
      );
    spelled.unshift({ written: word.written, letters: Array.from(letters) });
    following = startOf(letters);
    next = word.spokenForm.toLowerCase();
  }
  return spelled;
}
