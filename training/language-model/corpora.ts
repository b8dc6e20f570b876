import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { LANGUAGE_CODES } from '#packages/engines/builtin/model-files.ts';

/** One sentence of a corpus, without punctuation. */
export interface Sentence {
  /** Short name of the corpus. */
  source: string;
  /** Words where the corpus has them, else runs of text between punctuation marks. */
  pieces: string[];
  /** Readings: one syllable a character; empty where the corpus has none (English). */
  syllables: string[];
  /** 0 to 49 by the sentence's hash; fold 0 is held out of everything, fold 1 serves to choose weights. */
  fold: number;
}

/** An entry of a lexicon: one reading of one word. */
export interface LexiconEntry {
  word: string;
  syllables: string[];
  /** Share of this reading; 1 when the lexicon names none. */
  share: number;
}

/** Sentences of this fold are never trained on; the acoustic model's test set follows the same rule. */
export const HELD_OUT_FOLD = 0;
/** Sentences of this fold choose the weights, with a model that has not seen them either. */
export const TUNING_FOLD = 1;

/** Fold of a sentence by the hash of its text as the corpus has it, spaces removed. */
export function foldOf(rawSentence: string): number {
  const digest = createHash('sha256').update(rawSentence.replaceAll(' ', '')).digest();
  return digest.readUInt32BE(0) % 50;
}

/** Lines of a text file that are not empty. */
export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** A language that a model can be built for, by the name of its folder. */
export type ModelLanguage = (typeof LANGUAGE_CODES)[number];
