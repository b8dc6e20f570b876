import type { SpokenPhrase, SpokenPiece, SpokenWord, StyleChange } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinPhrases } from './join-phrases.ts';

/**
 * Pieces that are spoken one after the other by one call: in one style (null: that of the whole
 * speech), and by the model of the text or that of another language.
 */
export type StyledPieces = Manner & { pieces: SpokenPiece[] };

/** How a word is spoken; `leftTo` is null for the model of the text. */
export type Manner = { style: StyleChange | null; leftTo: Language | null };

/**
 * Groups pieces by the manner of their words; a piece with words of several manners is divided
 * between words. `mannerOf` may simplify the styles, for instance for a model that cannot change
 * its pitch.
 */
export function splitByStyle(
  pieces: readonly SpokenPiece[],
  language: Language,
  mannerOf: (word: SpokenWord) => Manner = ({ style = null }) => ({ style, leftTo: null }),
): StyledPieces[] {
  const groups: StyledPieces[] = [];
  for (const { piece, ...manner } of pieces.flatMap((whole) => dividePiece(whole, language, mannerOf))) {
    const last = groups.at(-1);
    if (last !== undefined && isSame(last, manner)) last.pieces.push(piece);
    else groups.push({ ...manner, pieces: [piece] });
  }
  return groups;
}

type StyledPiece = Manner & { piece: SpokenPiece };

function dividePiece(piece: SpokenPiece, language: Language, mannerOf: (word: SpokenWord) => Manner): StyledPiece[] {
  const runs: (Manner & { phrases: SpokenPhrase[] })[] = [];
  for (const { words, ending } of piece.phrases) {
    let isOpen = false;
    for (const word of words) {
      const manner = mannerOf(word);
      const run = runs.at(-1);
      if (run === undefined || !isSame(run, manner)) {
        runs.push({ ...manner, phrases: [{ words: [word], ending: 'none' }] });
      } else if (isOpen) {
        const phrase = run.phrases.at(-1)!;
        run.phrases[run.phrases.length - 1] = { ...phrase, words: [...phrase.words, word] };
      } else run.phrases.push({ words: [word], ending: 'none' });
      isOpen = true;
    }
    const last = runs.at(-1)?.phrases;
    if (last !== undefined) last[last.length - 1] = { ...last.at(-1)!, ending };
  }
  if (runs.length <= 1) return [{ style: runs[0]?.style ?? null, leftTo: runs[0]?.leftTo ?? null, piece }];
  return runs.map(({ style, leftTo, phrases }, index) => ({
    style,
    leftTo,
    piece: {
      phrases,
      spokenForm: joinPhrases(phrases, leftTo ?? language),
      endsSentence: piece.endsSentence && index === runs.length - 1,
    },
  }));
}

function isSame(one: Manner, other: Manner): boolean {
  return one.leftTo === other.leftTo && isSameStyle(one.style, other.style);
}

function isSameStyle(one: StyleChange | null, other: StyleChange | null): boolean {
  if (one === null || other === null) return one === other;
  return one.rate === other.rate && one.semitones === other.semitones && one.gain === other.gain;
}
