import type { BoundaryReading } from './boundary-features.ts';
import type { BoundaryModel, BoundaryModelName } from './boundary-model.ts';

/**
 * What the summariser knows of a language: enough to find sentences without punctuation, the words that carry content,
 * and the sentences that nobody needs. All patterns are tried on one sentence, lower-cased.
 */
export type Lexicon = {
  /** Whether words stand apart in writing. */
  spaced: boolean;
  /** Between sentences of a summary. */
  separator: string;
  /** Ends a sentence that has no mark of its own. */
  fullStop: string;
  /** Where a pause stands in a sentence that has no marks. */
  comma: string;
  /** Length of spoken sentences: words where `spaced`, else characters. */
  sentenceLength: { least: number; usual: number; most: number };
  /** How the ends of sentences are judged; `standard`: the characters that the model was fitted on, for those given. */
  boundaries: { model: BoundaryModelName; reading: BoundaryReading; standard?: (text: string) => string };
  /** Instead of the one that is shipped; where models are compared. */
  boundaryModel?: BoundaryModel;
  /** How readily a sentence ends before this word (or text, where words do not stand apart). Negative: it does not. */
  opens: (following: string) => number;
  /** How readily a sentence ends after this word or text. */
  closes: (preceding: string) => number;
  /** Content units of a sentence, repeated as they occur: what is compared between sentences. */
  units: (sentence: string) => string[];
  /** Greetings, thanks, calls to subscribe: never worth a place. */
  courtesy: RegExp;
  /** What says something of how things are or should be done: necessity, cause, contrast, definition. */
  substance: RegExp;
  /** The speaker, people around, and what once happened to them. */
  anecdote: RegExp;
  /** Remarks on the recording itself, exclamations, laughter. */
  aside: RegExp;
  /** Quantities. */
  number: RegExp;
  question: RegExp;
  /** Begins by leaning on the sentence before: because, and, this, he. */
  dangling: RegExp;
};

/** Words (or short texts) with scores, as `opens` and `closes` need them. */
export function scores(groups: Readonly<Record<string, number>>): Map<string, number> {
  return new Map(Object.entries(groups).flatMap(([words, score]) => words.split(' ').map((word) => [word, score])));
}

/** The score of the longest entry with which the text begins (`at` 'start') or ends; 0 when none does. */
export function scoreOfEdge(table: ReadonlyMap<string, number>, text: string, at: 'start' | 'end'): number {
  for (let length = Math.min(5, text.length); length > 0; length -= 1) {
    const score = table.get(at === 'start' ? text.slice(0, length) : text.slice(-length));
    if (score !== undefined) return score;
  }
  return 0;
}

/** Overlapping pairs of characters of a run: what stands for words where no spaces do (Nie et al., 2000). */
export function bigrams(run: string): string[] {
  const chars = Array.from(run);
  if (chars.length < 3) return chars.length === 2 ? [run] : [];
  return chars.slice(1).map((char, index) => `${chars[index]}${char}`);
}
