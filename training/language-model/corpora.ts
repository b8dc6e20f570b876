import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import type { LANGUAGE_CODES } from '#packages/engines/builtin/model-files.ts';

/** One sentence of a corpus, without punctuation. */
export interface Sentence {
  /** Short name of the corpus. */
  source: string;
  /** Words if the corpus is segmented, else text between punctuation marks. */
  pieces: string[];
  /** Readings, one syllable per character; empty if the corpus has none (English). */
  syllables: string[];
  /** 0 to 49 by the sentence's hash; fold 0 is held out, fold 1 is for tuning weights. */
  fold: number;
}

/** An entry of a lexicon: one reading of one word. */
export interface LexiconEntry {
  word: string;
  syllables: string[];
  /** Share of this reading; 1 if the lexicon gives none. */
  share: number;
}

/** Held-out sentences, never trained on; the test set of the acoustic model uses the same rule. */
export const HELD_OUT_FOLD = 0;
/** Sentences for tuning weights, with a model that was not trained on them. */
export const TUNING_FOLD = 1;

/** Fold of a sentence by the hash of its original text without spaces. */
export function foldOf(rawSentence: string): number {
  const digest = createHash('sha256').update(rawSentence.replaceAll(' ', '')).digest();
  return digest.readUInt32BE(0) % 50;
}

/** Non-empty lines of a text file. */
export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** A table of a package. Throws `invalid_request` if the file ends early. */
export function readJson(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', `${path} is cut off.`, { cause });
  }
}

/** Languages of models, named as their folders. */
export type ModelLanguage = (typeof LANGUAGE_CODES)[number];
