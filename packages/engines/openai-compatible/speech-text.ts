import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';

/**
 * Longest text of a request, in characters. OpenAI accepts 4,096; models with a voice sample drift
 * from it long before that.
 */
const MAX_REQUEST_CHARACTERS = 1_000;

const LATIN_EDGES = /[\p{Script=Latin}\p{N},.;:!?'’"”)%]$/u;
const LATIN_START = /^[\p{Script=Latin}\p{N}$"“'‘(]/u;

/**
 * Joins pieces to as few texts as possible of at most this many characters (a longer piece stays
 * whole). Texts end with a piece, and with a sentence when one of the last three pieces ends one.
 * Texts without words are dropped.
 */
export function groupPieces(pieces: readonly SpokenPiece[], maxCharacters = MAX_REQUEST_CHARACTERS): string[] {
  const groups: string[] = [];
  let group: SpokenPiece[] = [];
  for (const piece of pieces) {
    while (group.length > 0 && charactersOf(textOf([...group, piece])) > maxCharacters) {
      const until = lastSentenceEnd(group);
      groups.push(textOf(group.slice(0, until)));
      group = group.slice(until);
    }
    group.push(piece);
  }
  if (group.length > 0) groups.push(textOf(group));
  return groups.filter((text) => /[\p{L}\p{N}]/u.test(text));
}

function lastSentenceEnd(pieces: readonly SpokenPiece[]): number {
  for (let until = pieces.length; until >= Math.max(1, pieces.length - 2); until -= 1) {
    if (pieces[until - 1]?.endsSentence === true) return until;
  }
  return pieces.length;
}

function textOf(pieces: readonly SpokenPiece[]): string {
  let text = '';
  for (const { spokenForm } of pieces) {
    const next = spokenForm.trim();
    // A space separates English sentences; Chinese ones follow directly.
    text += LATIN_EDGES.test(text) && LATIN_START.test(next) ? ` ${next}` : next;
  }
  return text;
}

/** Counts code points, as servers do. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
