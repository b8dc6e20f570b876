import type { CorpusEntry } from '@jyutsing/contracts/corpus';

/** More words than this slow a recognizer down, and it hears some that were not said. */
const MAX_HOT_WORDS = 100;

/** The words of corpora that a recognizer hears more easily: the weightiest, in their order. */
export function hotWordsOf(entries: readonly CorpusEntry[]): string[] {
  const byWeight = entries.toSorted((left, right) => right.weight - left.weight);
  return [...new Set(byWeight.map(({ text }) => text))].slice(0, MAX_HOT_WORDS);
}

/** The hint for a recognizer: what the request says, then the words. */
export function withHotWords(context: string | null, words: readonly string[]): string | null {
  const parts = [...(context === null ? [] : [context]), ...words];
  return parts.length === 0 ? null : parts.join('、');
}
