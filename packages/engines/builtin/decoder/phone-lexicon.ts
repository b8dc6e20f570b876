import type { LanguageModel } from './language-model.ts';
import type { AcousticLabels } from './types.ts';
import type { DecoderWeights } from './weights.ts';

/** The lexicon's prefix tree as the acoustic model's columns see it. */
export type PhoneLexicon = {
  /** Returns the node reached from `node` by the phone of a column, or −1. */
  child(node: number, column: number): number;
  /** Returns the column of the phone that leads to a node; 0 for the root. */
  column(node: number): number;
  /**
   * Returns the best weighted unigram and reading score of any word at or below a node; 0 at the
   * root. It is charged on the way down and refunded at the word's end, so that the beginning of a
   * rare word does not survive at the price of a common one.
   */
  lookAhead(node: number): number;
  /** Returns the phones from the root to a node, as columns. */
  columnsTo(node: number): number[];
};

/** Prepares the tables for one pair of models. */
export function phoneLexicon(labels: AcousticLabels, model: LanguageModel, weights: DecoderWeights): PhoneLexicon {
  const { trie } = model;
  const columnOfUnit = model.syllables.map((phone) => labels.phones.indexOf(phone) + 1);
  // Phones that no word uses have no unit.
  const unitOfColumn = Int32Array.from(['', ...labels.phones], (phone) => model.syllableNumber(phone) ?? -1);
  const columns = Uint8Array.from({ length: trie.nodeCount }, (_, node) =>
    node === 0 ? 0 : (columnOfUnit[trie.unit(node)] ?? 0),
  );
  const lookAhead = new Float32Array(trie.nodeCount).fill(-Infinity);
  // Children have higher numbers than their parents.
  for (let node = trie.nodeCount - 1; node > 0; node--) {
    for (let entry = trie.firstPronunciation(node); entry < trie.endPronunciation(node); entry++) {
      const score =
        model.unigramLogp(trie.word(entry)) * weights.languageModelScale +
        model.readingLogp(entry) * weights.readingScale;
      lookAhead[node] = Math.max(lookAhead[node] ?? 0, score);
    }
    const parent = trie.parent(node);
    lookAhead[parent] = Math.max(lookAhead[parent] ?? 0, lookAhead[node] ?? 0);
  }
  lookAhead[0] = 0;
  return {
    child(node, column) {
      const unit = unitOfColumn[column] ?? -1;
      return unit < 0 ? -1 : trie.child(node, unit);
    },
    column: (node) => columns[node] ?? 0,
    lookAhead: (node) => lookAhead[node] ?? 0,
    columnsTo(node) {
      const path: number[] = [];
      for (let at = node; at > 0; at = trie.parent(at)) path.push(columns[at] ?? 0);
      return path.toReversed();
    },
  };
}
