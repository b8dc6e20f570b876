import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { loadAddReadings, type AddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { splitSentences } from '#text/normalization/split-text.ts';

/** A word to be spoken, with its position in the text. */
export type PlacedWord = SpokenWord & {
  /** UTF-16 units from the start of the text; −1: not found there. */ at: number;
};

/** Words that are spoken without a pause. */
export type Clause = { words: readonly PlacedWord[]; afterPause: boolean };

let opening: Promise<AddReadings> | null = null;

/** The dictionaries of `normalization`; loaded once, and again after a failure. */
export function openAddReadings(): Promise<AddReadings> {
  opening ??= loadAddReadings().catch((error: unknown) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** Normalizes a text and adds readings; splits it at pauses. */
export function splitClauses(text: string, language: Language, addReadings: AddReadings): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let isPause = false;
  for (const sentence of splitSentences(text, language)) {
    const normalized = normalize(sentence, language);
    if (normalized !== null) {
      let from = start;
      for (const { words, ending } of addReadings(normalized).phrases) {
        const placed = words.map((word) => {
          const at = text.indexOf(word.written, from);
          if (at >= 0) from = at + word.written.length;
          return { ...word, at };
        });
        clauses.push({ words: placed, afterPause: isPause });
        isPause = ending !== 'none';
      }
    }
    start += sentence.text.length;
  }
  return clauses;
}

/**
 * The units of all clauses, with a pause before the first one of each; an empty clause passes its
 * pause to the next.
 */
export function unitsOfClauses<U extends { afterPause: boolean }>(
  clauses: readonly Clause[],
  unitsOf: (clause: Clause) => readonly U[],
): U[] {
  const units: U[] = [];
  let isPause = false;
  for (const clause of clauses) {
    isPause ||= clause.afterPause;
    const [first, ...rest] = unitsOf(clause);
    if (first === undefined) continue;
    units.push({ ...first, afterPause: isPause && units.length > 0 }, ...rest);
    isPause = false;
  }
  return units;
}
