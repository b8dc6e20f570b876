import type { LexiconWord } from '@jyutsing/contracts/corpus';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { readFromLexicon } from '#text/lexicon/read-from-lexicon.ts';
import { createAddJyutping, type AddJyutping } from '#text/normalization/cantonese/add-jyutping.ts';
import { withoutBreaks } from '#text/normalization/break-tags.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { JYUTPING_IN_TEXT } from '#text/pronunciation/cantonese/jyutping-in-text.ts';
import { readWritten } from '#text/pronunciation/written-syllables.ts';
import { splitSentences } from '#text/normalization/split-text.ts';
import { isChinese } from '#text/script/fold-characters.ts';
import type { TokenizedPiece } from '#text/normalization/tokens.ts';

/**
 * A part of a text with its reading. `character` is one character, or a number or sign that is read
 * as a whole (12: `sap6 ji6`). `jyutping` is null for what is not read in Cantonese: punctuation,
 * spaces, words of other languages.
 */
export type CharacterJyutping = { character: string; jyutping: string | null };

/** A character with its variation selectors. */
const CHARACTER = /.[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*/gsu;

/** Reads a text, or the pieces of one, with the words of a lexicon as it says. */
export type SpokenJyutping = (
  text: string | readonly TokenizedPiece[],
  lexicon?: readonly LexiconWord[],
) => CharacterJyutping[];

/**
 * Loads the dictionary and returns a function that reads texts as they are spoken: in context, with
 * the same numbers, corrections and question particles. The parts together are the text without its
 * pauses. Keep the result: the dictionary takes some tenths of a second and tens of megabytes.
 */
export function createSpokenJyutping(): SpokenJyutping {
  const addJyutping = createAddJyutping();
  return (text, lexicon = []) => {
    const pieces = typeof text === 'string' ? splitSentences(withoutBreaks(text), 'cantonese') : text;
    return readWritten(pieces, JYUTPING_IN_TEXT).flatMap((piece) => readPiece(piece, addJyutping, lexicon));
  };
}

function readPiece(
  piece: TokenizedPiece,
  addJyutping: AddJyutping,
  lexicon: readonly LexiconWord[],
): CharacterJyutping[] {
  const normal = normalize(piece, 'cantonese');
  if (normal === null) return unread(piece.text);
  const fixed = new Set<SpokenWord>();
  const phrases = normal.phrases.map(({ words: normalized, ending }) => {
    const read = addJyutping(normalized, ending === 'question').map((word, index) =>
      withWrittenJyutping(word, normalized[index]),
    );
    for (const [index, word] of read.entries()) if ((normalized[index]?.reading.length ?? 0) > 0) fixed.add(word);
    return { words: read, ending };
  });
  const words = readFromLexicon({ ...normal, phrases }, lexicon, fixed).phrases.flatMap((phrase) => phrase.words);
  const parts: CharacterJyutping[] = [];
  let from = 0;
  for (const word of words) {
    const at = piece.text.indexOf(word.written, from);
    // A word whose written form is not in the text, such as one of converted characters.
    if (at < 0) continue;
    parts.push(...unread(piece.text.slice(from, at)), ...readWord(word));
    from = at + word.written.length;
  }
  return [...parts, ...unread(piece.text.slice(from))];
}

/** Jyutping that is written in the text, or given by SSML, is the reading of its word. */
function withWrittenJyutping(word: SpokenWord, writtenWord: SpokenWord | undefined): SpokenWord {
  return writtenWord === undefined || writtenWord.reading.length === 0 ? word : writtenWord;
}

function readWord({ written, language, reading }: SpokenWord): CharacterJyutping[] {
  if (language !== 'cantonese') return [{ character: written, jyutping: null }];
  const characters = Array.from(written.matchAll(CHARACTER), ([character]) => character);
  // Two digits may have two syllables, of which neither belongs to one of them: 20.
  if (characters.length !== reading.length || !characters.every((character) => isChinese(character))) {
    return [{ character: written, jyutping: reading.length === 0 ? null : reading.join(' ') }];
  }
  return characters.map((character, index) => ({ character, jyutping: reading[index] ?? null }));
}

function unread(text: string): CharacterJyutping[] {
  return Array.from(text, (character) => ({ character, jyutping: null }));
}
