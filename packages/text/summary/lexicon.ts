import type { BoundaryReading } from '#text/boundaries/boundary-features.ts';
import type { BoundaryModel, BoundaryModelName } from './boundary-model.ts';

/**
 * Language data for finding sentences without punctuation, content words and unimportant sentences.
 * Patterns apply to one lower-case sentence.
 */
export type Lexicon = {
  /** True for a language with spaces between words. */
  spaced: boolean;
  separator: string;
  /** The mark for the end of a sentence that has none. */
  fullStop: string;
  /** The mark for a pause in a sentence without marks. */
  comma: string;
  /** Length of spoken sentences: words if `spaced`, otherwise characters. */
  sentenceLength: { typical: number; max: number };
  /** Model of sentence ends. `standard` maps characters to those that the model was fitted on. */
  boundaries: { model: BoundaryModelName; reading: BoundaryReading; standard?: (text: string) => string };
  /** Replaces the shipped model in comparisons of models. */
  boundaryModel?: BoundaryModel;
  /** Score of a sentence end before this word or text; negative: unlikely. */
  opens: (following: string) => number;
  /** Score of a sentence end after this word or text. */
  closes: (preceding: string) => number;
  /** Content units of a sentence with repetitions; sentences are compared by them. */
  units: (sentence: string) => string[];
  /** Greetings, thanks, requests to subscribe: never part of a summary. */
  courtesy: RegExp;
  /** Statements of necessity, cause, contrast, definition. */
  substance: RegExp;
  /** Personal stories. */
  anecdote: RegExp;
  /** Remarks about the recording, exclamations, laughter. */
  aside: RegExp;
  /** Quantities. */
  number: RegExp;
  question: RegExp;
  /** Matches a sentence that refers to the previous one: because, and, this, he. */
  dangling: RegExp;
};

/** Builds the tables `opens` and `closes`. */
export function scores(groups: Readonly<Record<string, number>>): Map<string, number> {
  return new Map(Object.entries(groups).flatMap(([words, score]) => words.split(' ').map((word) => [word, score])));
}

/** Score of the longest entry at the start or end of the text; 0 without one. */
export function scoreOfEdge(table: ReadonlyMap<string, number>, text: string, at: 'start' | 'end'): number {
  for (let length = Math.min(5, text.length); length > 0; length -= 1) {
    const score = table.get(at === 'start' ? text.slice(0, length) : text.slice(-length));
    if (score !== undefined) return score;
  }
  return 0;
}

/**
 * Overlapping pairs of characters, which replace words in languages without word spaces (Nie et
 * al., 2000).
 */
export function bigrams(run: string): string[] {
  const chars = Array.from(run);
  if (chars.length < 3) return chars.length === 2 ? [run] : [];
  return chars.slice(1).map((char, index) => `${chars[index]}${char}`);
}
