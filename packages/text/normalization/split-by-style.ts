import type { SpokenPhrase, SpokenPiece, SpokenWord, StyleChange } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinPhrases } from './join-phrases.ts';

/** Pieces that are spoken one after the other in one style; null: that of the whole speech. */
export type StyledPieces = { style: StyleChange | null; pieces: SpokenPiece[] };

/**
 * Groups pieces by the style of their words; a piece with words of several styles is divided
 * between words. `styleOf` may simplify the styles, for instance for a model that cannot change its
 * pitch.
 */
export function splitByStyle(
  pieces: readonly SpokenPiece[],
  language: Language,
  styleOf: (word: SpokenWord) => StyleChange | null = ({ style = null }) => style,
): StyledPieces[] {
  const groups: StyledPieces[] = [];
  for (const { style, piece } of pieces.flatMap((whole) => dividePiece(whole, language, styleOf))) {
    const last = groups.at(-1);
    if (last !== undefined && isSameStyle(last.style, style)) last.pieces.push(piece);
    else groups.push({ style, pieces: [piece] });
  }
  return groups;
}

type StyledPiece = { style: StyleChange | null; piece: SpokenPiece };

function dividePiece(
  piece: SpokenPiece,
  language: Language,
  styleOf: (word: SpokenWord) => StyleChange | null,
): StyledPiece[] {
  const runs: { style: StyleChange | null; phrases: SpokenPhrase[] }[] = [];
  for (const { words, ending } of piece.phrases) {
    let isOpen = false;
    for (const word of words) {
      const style = styleOf(word);
      const run = runs.at(-1);
      if (run === undefined || !isSameStyle(run.style, style)) {
        runs.push({ style, phrases: [{ words: [word], ending: 'none' }] });
      } else if (isOpen) {
        const phrase = run.phrases.at(-1)!;
        run.phrases[run.phrases.length - 1] = { ...phrase, words: [...phrase.words, word] };
      } else run.phrases.push({ words: [word], ending: 'none' });
      isOpen = true;
    }
    const last = runs.at(-1)?.phrases;
    if (last !== undefined) last[last.length - 1] = { ...last.at(-1)!, ending };
  }
  if (runs.length <= 1) return [{ style: runs[0]?.style ?? null, piece }];
  return runs.map(({ style, phrases }, index) => ({
    style,
    piece: {
      phrases,
      spokenForm: joinPhrases(phrases, language),
      endsSentence: piece.endsSentence && index === runs.length - 1,
    },
  }));
}

function isSameStyle(one: StyleChange | null, other: StyleChange | null): boolean {
  if (one === null || other === null) return one === other;
  return one.rate === other.rate && one.semitones === other.semitones && one.gain === other.gain;
}
