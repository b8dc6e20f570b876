import { readFileSync } from 'node:fs';

const MODEL = new URL('../../../models/cantonese-readings/', import.meta.url);
const CORRECTIONS = new URL('./corrections.tsv', import.meta.url);

/** The unit of the costs in the file, in nats. */
export const COST_STEP = 0.5;
/** The cost of a word that has no frequency, in nats. */
export const UNLISTED_COST = 12;
/** The highest cost of a word, in nats. */
export const MAX_COST = 15;
/** The cost of a word of our corrections, in nats: that of a frequent word. */
const CORRECTION_COST = 8;

/** Facts of words beside the dictionary, as texts, which take a tenth of the memory of objects. */
export type WordList = {
  /** The frequency of words: a line for each cost, in steps of `COST_STEP`, with its words. */
  costs: string;
  /**
   * Tables of words with readings that replace those of the dictionary, later ones winning: a
   * heading, then a word, a tab and its syllables in each row. `cost`, in nats, is that of their
   * words of several characters, null for that of the frequency.
   */
  readings: readonly { table: string; cost: number | null }[];
};

/**
 * Loads the frequency of words, readings of words in conversation and in the lexicon, and our
 * corrections.
 */
export function loadWordList(): WordList {
  return {
    costs: readFileSync(new URL('word-costs.txt', MODEL), 'utf8'),
    readings: [
      { table: readFileSync(new URL('word-readings.tsv', MODEL), 'utf8'), cost: null },
      { table: readFileSync(CORRECTIONS, 'utf8'), cost: CORRECTION_COST },
    ],
  };
}

/** The corrections by themselves: word → its syllables. */
export function loadCorrections(): Map<string, string[]> {
  const rows = readFileSync(CORRECTIONS, 'utf8').trim().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [word = '', syllables = ''] = row.split('\t');
      return [word, syllables.split(' ')];
    }),
  );
}
