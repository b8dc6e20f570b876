import { join } from 'node:path';
import { linesOf } from './corpora.ts';
import type { VocabularyWord } from './vocabulary.ts';

/** Occurrences of the prior that English words share with each other. */
const PRIOR_COUNT = 100_000_000;

/**
 * English words that people say within Cantonese sentences, with the syllables by which the
 * Cantonese acoustic model hears them in the accent of Hong Kong (`hear-english.ts`). The first
 * words of the file are likelier than the last.
 */
export function readEnglishInCantonese(folder: string): VocabularyWord[] {
  const readingsByWord = new Map<string, Map<string, number>>();
  for (const line of linesOf(join(folder, 'english-in-cantonese.tsv'))) {
    const [text = '', syllables = ''] = line.split('\t');
    const readings = readingsByWord.get(text) ?? new Map<string, number>();
    readingsByWord.set(text, readings.set(syllables, (readings.get(syllables) ?? 0) + 1));
  }
  const total = [...readingsByWord.keys()].reduce((sum, _, rank) => sum + weightAt(rank), 0);
  return [...readingsByWord].map(([text, readings], rank) => {
    const times = [...readings.values()].reduce((sum, count) => sum + count, 0);
    return {
      text,
      priorCount: (PRIOR_COUNT * weightAt(rank)) / total,
      readings: [...readings].map(([syllables, count]) => ({
        syllables: syllables.split(' '),
        probability: count / times,
      })),
    };
  });
}

/** Zipf's law, flattened: the order is that of other texts. */
const weightAt = (rank: number): number => 1 / Math.sqrt(rank + 100);
