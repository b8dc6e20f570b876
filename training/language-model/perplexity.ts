import { BOUNDARY_WORD, type LanguageModel } from '#packages/engines/builtin/decoder/language-model.ts';
import type { Sentence } from './corpora.ts';
import { createSegmenter } from './segment.ts';

/** Perplexity of a model on text. */
export interface Perplexity {
  /** Per word, including the end of sentence. */
  perWord: number;
  /** Per character, which does not depend on word segmentation. */
  perCharacter: number;
  /** Share of unknown words, which are skipped. */
  unknownShare: number;
}

/** Maximum word length for segmentation, in characters. */
const MAXIMUM_WORD_LENGTH = 6;

/**
 * Perplexity on sentences. Chinese text is segmented into the likeliest words, English is segmented
 * already.
 */
export function perplexity(model: LanguageModel, sentences: readonly Sentence[], isSegmented: boolean): Perplexity {
  const numbers = new Map<string, number>();
  for (let word = 1; word < model.wordCount; word++) numbers.set(model.text(word), word);
  const segment = isSegmented ? null : segmenterOf(model, numbers);
  let [logp, words, characters, unknown] = [0, 0, 0, 0];
  for (const { pieces } of sentences) {
    let [first, second] = [BOUNDARY_WORD, BOUNDARY_WORD];
    for (const text of segment === null ? pieces : pieces.flatMap(segment)) {
      const word = numbers.get(text);
      if (word === undefined) {
        unknown++;
        continue;
      }
      logp += model.logp(model.context(first, second), word);
      [first, second] = [second, word];
      words++;
      characters += [...text].length;
    }
    logp += model.logp(model.context(first, second), BOUNDARY_WORD);
    words++;
  }
  return {
    perWord: Math.exp(-logp / words),
    perCharacter: Math.exp(-logp / characters),
    unknownShare: unknown / (unknown + words - sentences.length),
  };
}

function segmenterOf(model: LanguageModel, numbers: ReadonlyMap<string, number>): (text: string) => string[] {
  const counts = new Map([...numbers].map(([text, word]) => [text, 1e12 * Math.exp(model.unigramLogp(word))]));
  return createSegmenter(counts, MAXIMUM_WORD_LENGTH);
}
