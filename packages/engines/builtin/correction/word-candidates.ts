import type { KnownTerm } from './term-index.ts';
import { fitOf, type Column } from './columns.ts';
import { likeCodes } from './sound-likeness.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { CorrectionWeights } from './weights.ts';

/** Something that may stand from one column to another. */
export type Candidate = {
  /** The column after its last. */
  to: number;
  text: string;
  /** Its (first) word in the language model. */
  word: number;
  /** The term of the request that it is; null for a word of the language model. */
  term: KnownTerm | null;
  /** Everything that speaks for it but the words before it. */
  score: number;
};

/** One way to take a column as a syllable of a word. */
type Arc = {
  /** The language model's number of the syllable. */
  number: number;
  score: number;
  /** Whether it was heard; else only the character that was written may be read by it. */
  isRecognized: boolean;
};

/** The arcs of each column; none for a syllable that no character stands for. */
export type Arcs = readonly (readonly Arc[])[];

/** What the columns of a run may be for words: what was heard, with Hong Kong's mergers, and the readings of what was written. */
export function arcsOf(columns: readonly Column[], vocabulary: Vocabulary, weights: CorrectionWeights): Arcs {
  return columns.map((column) => {
    const { character, readings, heard, mayBeReread } = column;
    if (character === null) return [];
    const arcs: Arc[] = [];
    const seen = new Set<number>();
    const add = (code: number, isRecognized: boolean): void => {
      const number = vocabulary.numberOf(code);
      if (number < 0 || seen.has(number)) return;
      seen.add(number);
      arcs.push({ number, score: fitOf(column, code) * weights.acousticScale, isRecognized });
    };
    if (mayBeReread) for (const { code } of heard) for (const like of likeCodes(code)) add(like, true);
    for (const code of readings) add(code, false);
    return arcs;
  });
}

/** The words of the language model that may begin at a column, what was written first. */
export function collectWords(
  columns: readonly Column[],
  arcs: Arcs,
  from: number,
  vocabulary: Vocabulary,
  weights: CorrectionWeights,
): Candidate[] {
  // What no character stands for begins no word.
  if (columns[from]?.character === null) return [];
  const found = writtenWords(columns, from, vocabulary, weights);
  const { model } = vocabulary;
  const { trie } = model;
  const path: { column: Column; isRecognized: boolean }[] = [];
  const visit = (at: number, node: number, score: number): void => {
    const column = columns[at];
    if (column === undefined) return;
    // A syllable that no character stands for is left alone; a word goes on after it.
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
        const characters = model.characters(word);
        const kept = keptBonus(characters, path);
        if (kept === null) continue;
        const own =
          score + arc.score + kept + model.readingLogp(pronunciation) + weights.wordBonus + weights.changedWord;
        found.push({ to: at + 1, text: characters.join(''), word, term: null, score: own });
      }
      if (trie.hasChildren(child)) visit(at + 1, child, score + arc.score);
      path.pop();
    }
  };
  visit(from, 0, 0);
  return withoutHopeless(found, vocabulary, weights);
}

/** What the kept characters add; null when one was changed that may not be, and when none was changed. */
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

/** The words that were written, however they were heard; a character that begins none stands alone. */
function writtenWords(
  columns: readonly Column[],
  from: number,
  vocabulary: Vocabulary,
  weights: CorrectionWeights,
): Candidate[] {
  const found: Candidate[] = [];
  let text = '';
  let score = weights.wordBonus;
  let length = 0;
  for (let at = from; at < columns.length && length < vocabulary.longest; at += 1) {
    const column = columns[at];
    if (column === undefined || column.character === null) continue;
    text += column.character;
    length += 1;
    score += column.keep + column.ownFit * weights.acousticScale;
    const word = vocabulary.wordOf(text) ?? (length === 1 ? vocabulary.unknown : undefined);
    if (word !== undefined) found.push({ to: at + 1, text, word, term: null, score });
  }
  return found;
}

/** Leaves out what is so much worse than another word for the same columns that no context makes up for it. */
function withoutHopeless(
  found: readonly Candidate[],
  { model, unknown }: Vocabulary,
  { languageModelScale, unknownWord, wordMargin }: CorrectionWeights,
): Candidate[] {
  const alone = found.map(
    ({ word, score }) => score + languageModelScale * (word === unknown ? unknownWord : model.unigramLogp(word)),
  );
  const bestTo = new Map<number, number>();
  found.forEach(({ to }, index) => bestTo.set(to, Math.max(bestTo.get(to) ?? -Infinity, alone[index] ?? -Infinity)));
  return found.filter(({ to }, index) => (alone[index] ?? -Infinity) >= (bestTo.get(to) ?? 0) - wordMargin);
}
