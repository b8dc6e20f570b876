import { join } from 'node:path';
import { foldOf, linesOf } from '../language-model/corpora.ts';

/** An utterance of the Hong Kong Cantonese Corpus with its readings, which people wrote. */
export type Utterance = {
  words: readonly string[];
  /** One syllable for each character of the words. */
  syllables: readonly string[];
  /** Whether it measures readings, and is not used to learn them. */
  isHeldOut: boolean;
};

/**
 * The utterances of `hkcancor.tsv` in a folder. Half of them are held out, by a hash of their text,
 * so that utterances that people often repeat are in one half.
 */
export function readUtterances(folder: string): Utterance[] {
  return linesOf(join(folder, 'hkcancor.tsv'))
    .slice(1)
    .flatMap((line) => {
      const [text = '', jyutping = ''] = line.split('\t');
      const words = text.split(' ');
      const syllables = jyutping.split(' ');
      if (Array.from(words.join('')).length !== syllables.length) return [];
      return [{ words, syllables, isHeldOut: foldOf(text) % 2 === 0 }];
    });
}
