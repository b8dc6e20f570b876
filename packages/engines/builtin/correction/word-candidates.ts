import type { KnownTerm } from './term-index.ts';
import { fitOf, type Column } from './columns.ts';
import { codesWithVariants } from './sound-likeness.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { CorrectionWeights } from './weights.ts';

/** A word or term that may span from one column to another. */
export type Candidate = {
  /** Index of the column after the last one. */
  to: number;
  text: string;
  /** Number of the first word in the language model. */
  word: number;
  /** The matching term of the request; null for a word of the language model. */
  term: KnownTerm | null;
  /** Score without the context of the preceding words. */
  score: number;
};

/** One reading of a column as a syllable of a word. */
type Arc = {
  /** Number of the syllable in the language model. */
  number: number;
  score: number;
  /** True if the syllable was recognized; otherwise only the written character may have it. */
  isRecognized: boolean;
};

/** Arcs of each column; a syllable without a character has none. */
export type Arcs = readonly (readonly Arc[])[];

/**
 * Builds the arcs of a run: recognized syllables, their variants by Hong Kong's mergers, and
 * readings of the written text.
 */
export function arcsOf(columns: readonly Column[], vocabulary: Vocabulary, weights: CorrectionWeights): Arcs {
  return columns.map((column) => {
    const { character, readings, sounds, isRecognizedByReading } = column;
    if (character === null) return [];
    const arcs: Arc[] = [];
    const numbers = new Set<number>();
    const add = (code: number, isRecognized: boolean): void => {
      const number = vocabulary.numberOf(code);
      if (number < 0 || numbers.has(number)) return;
      numbers.add(number);
      arcs.push({ number, score: fitOf(column, code) * weights.acousticScale, isRecognized });
    };
    if (isRecognizedByReading)
      for (const { code } of sounds) for (const like of codesWithVariants(code)) add(like, true);
    for (const code of readings) add(code, false);
    return arcs;
  });
}

/** Finds the words of the language model that may begin at a column, the written ones first. */
export function collectWords(
  columns: readonly Column[],
  arcs: Arcs,
  from: number,
  vocabulary: Vocabulary,
  weights: CorrectionWeights,
): Candidate[] {
  // No word begins at a syllable without a character.
  if (columns[from]?.character === null) return [];
  const candidates = writtenWords(columns, from, vocabulary, weights);
  const { model } = vocabulary;
  const { trie } = model;
  const path: { column: Column; isRecognized: boolean }[] = [];
  const visit = (at: number, node: number, score: number): void => {
    const column = columns[at];
    if (column === undefined) return;
    // Skip a syllable without a character; a word continues after it.
    if (column.character === null) {
      if (path.length > 0) visit(at + 1, node, score);
      return;
    }
    for (const arc of arcs[at] ?? []) {
      const child = trie.child(node, arc.number);
      if (child < 0) continue;
      path.push({ column, isRecognized: arc.isRecognized });
      const first = trie.firstPronunciation(child);
      const end = Math.min(trie.endPronunciation(child), first + weights.homophoneLimit);
      for (let pronunciation = first; pronunciation < end; pronunciation += 1) {
        const word = trie.word(pronunciation);
        // A correction never writes a word of letters for a sound like it.
        if (model.hasLetters(word)) continue;
        const characters = model.parts(word);
        const bonus = keptBonus(characters, path);
        if (bonus === null) continue;
        const wordScore =
          score + arc.score + bonus + model.readingLogp(pronunciation) + weights.wordBonus + weights.changedWord;
        candidates.push({ to: at + 1, text: characters.join(''), word, term: null, score: wordScore });
      }
      if (trie.hasChildren(child)) visit(at + 1, child, score + arc.score);
      path.pop();
    }
  };
  visit(from, 0, 0);
  return withoutHopelessWords(candidates, vocabulary, weights);
}

/**
 * Sums the bonus of kept characters; null when a protected character changed, and when no character
 * changed.
 */
function keptBonus(
  characters: readonly string[],
  path: readonly { column: Column; isRecognized: boolean }[],
): number | null {
  let bonus = 0;
  let changed = 0;
  for (const [index, { column, isRecognized }] of path.entries()) {
    if (characters[index] === column.character) bonus += column.keep;
    else if (isRecognized) changed += 1;
    else return null;
  }
  return changed > 0 ? bonus : null;
}

/**
 * Finds the words as they are written, whatever was recognized; a character that begins no word is
 * a word by itself.
 */
function writtenWords(
  columns: readonly Column[],
  from: number,
  vocabulary: Vocabulary,
  weights: CorrectionWeights,
): Candidate[] {
  const candidates: Candidate[] = [];
  let text = '';
  let score = weights.wordBonus;
  let length = 0;
  for (let at = from; at < columns.length && length < vocabulary.longest; at += 1) {
    const column = columns[at];
    if (column === undefined || column.character === null) continue;
    text += column.character;
    length += 1;
    score += column.keep + column.bestReadingFit * weights.acousticScale;
    const word = vocabulary.wordOf(text) ?? (length === 1 ? vocabulary.unknown : undefined);
    if (word !== undefined) candidates.push({ to: at + 1, text, word, term: null, score });
  }
  return candidates;
}

/**
 * Drops words that are so much worse than another one for the same columns that no context
 * compensates for it.
 */
function withoutHopelessWords(
  candidates: readonly Candidate[],
  { model, unknown }: Vocabulary,
  { languageModelScale, unknownWord, wordMargin }: CorrectionWeights,
): Candidate[] {
  const alone = candidates.map(
    ({ word, score }) => score + languageModelScale * (word === unknown ? unknownWord : model.unigramLogp(word)),
  );
  const bestTo = new Map<number, number>();
  candidates.forEach(({ to }, index) =>
    bestTo.set(to, Math.max(bestTo.get(to) ?? -Infinity, alone[index] ?? -Infinity)),
  );
  return candidates.filter(({ to }, index) => (alone[index] ?? -Infinity) >= (bestTo.get(to) ?? 0) - wordMargin);
}
