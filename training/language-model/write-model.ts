import { AppError } from '@jyutsing/contracts/errors';
import { type NumberArray, encodeModelFile, narrowArray } from '#packages/engines/builtin/decoder/model-file.ts';
import type { TrigramModel } from './ngram.ts';

/** Nats per step of a stored logarithm: 255 steps reach e^−25.5. */
const LOG_STEP = 0.1;
/** Second and third words of n-grams are stored in 16 bits. */
export const MAXIMUM_NGRAM_WORDS = 0x10000;

/** One word of the model file. */
export type ModelWord = {
  /** Written form: Chinese characters, or an English word with apostrophe and capitals. */
  text: string;
  /**
   * Readings as lists of units with probabilities that sum to 1. Units are jyutping with tone
   * (`gwong2`) or pinyin with tone (`zhong1`, `lv4`, `ma5`), one per character, or any number of
   * ARPAbet phones without stress (`HH`).
   */
  readings: { syllables: readonly string[]; probability: number }[];
};

/**
 * Bytes of the model file, as packages/engines/builtin/decoder/language-model.ts reads it:
 *
 *     const words: ModelWord[] = [
 *       { text: '', readings: [] },                                             // word 0: the boundary of an utterance
 *       { text: 'the', readings: [{ syllables: ['DH', 'AX'], probability: 0.9 }, { syllables: ['DH', 'IY'], probability: 0.1 }] },
 *       …                                                                       // words of n-grams first
 *     ];
 *     const model = trainTrigrams(sentences, priorCounts, 0, options);          // numbers of words; [0, …, 0]
 *     writeFileSync(path, encodeModel(words, ngramWords, model, 'where it comes from'));
 *
 * Words are in number order, word 0 the boundary; only the first `ngramWords` (at most 65,536) may
 * occur in n-grams. Every word needs a unigram probability. Homophones are sorted by frequency,
 * because the search tries only the first ones. A bigram takes six bytes (five if no pair has more
 * than 255 trigrams), a trigram three, a word about twenty. Throws `invalid_request` beyond the
 * limits of the format on n-gram words and word length (255 characters, 255 units).
 */
export function encodeModel(
  words: readonly ModelWord[],
  ngramWords: number,
  model: TrigramModel,
  description: string,
): Uint8Array {
  if (ngramWords > MAXIMUM_NGRAM_WORDS) {
    throw new AppError('invalid_request', `At most ${MAXIMUM_NGRAM_WORDS} words can occur in n-grams.`);
  }
  const { syllables, pronunciations } = sortedPronunciations(words, model);
  const characters = [...new Set(words.flatMap((word) => [...word.text]))];
  const characterNumbers = new Map(characters.map((char, number) => [char, number]));
  const spelt = words.map((word) => [...word.text].map((char) => characterNumbers.get(char) ?? 0));
  // One unit per character needs no lengths; the search for Chinese requires this form.
  const unitPerCharacter = pronunciations.every((entry) => entry.syllables.length === spelt[entry.word]?.length);
  return encodeModelFile(
    { syllables, characters: characters.join(''), logStep: LOG_STEP, description },
    {
      'word.length': lengths(spelt),
      'word.characters': narrowArray(spelt.flat()),
      'word.logp': Uint8Array.from(words, (_, number) => code(model.unigramLogp[number] ?? -Infinity)),
      'word.backoff': Uint8Array.from({ length: ngramWords }, (_, number) => code(model.unigramBackoff[number] ?? 0)),
      'pron.word': narrowArray(pronunciations.map((entry) => entry.word)),
      'pron.logp': Uint8Array.from(pronunciations, (entry) => code(Math.log(entry.probability))),
      ...(unitPerCharacter ? {} : { 'pron.length': lengths(pronunciations.map((entry) => entry.syllables)) }),
      'pron.syllables': narrowArray(pronunciations.flatMap((entry) => entry.syllables)),
      ...ngramSections(model, ngramWords),
    },
  );
}

function lengths(lists: readonly (readonly number[])[]): Uint8Array {
  if (lists.some((list) => list.length > 0xff)) {
    throw new AppError('invalid_request', 'A word of the model is longer than 255 characters or units.');
  }
  return Uint8Array.from(lists, (list) => list.length);
}

type Pronunciation = { word: number; syllables: number[]; probability: number };

function sortedPronunciations(
  words: readonly ModelWord[],
  model: TrigramModel,
): { syllables: string[]; pronunciations: Pronunciation[] } {
  const syllables = [...new Set(words.flatMap((word) => word.readings.flatMap((reading) => reading.syllables)))].sort();
  const numbers = new Map(syllables.map((syllable, number) => [syllable, number]));
  const pronunciations = words.flatMap(({ readings }, word) =>
    readings.map(({ syllables: spoken, probability }) => ({
      word,
      probability,
      syllables: spoken.map((syllable) => numbers.get(syllable) ?? 0),
    })),
  );
  const weight = (entry: Pronunciation): number =>
    (model.unigramLogp[entry.word] ?? -Infinity) + Math.log(entry.probability);
  pronunciations.sort((a, b) => compareSyllables(a.syllables, b.syllables) || weight(b) - weight(a));
  return { syllables, pronunciations };
}

function compareSyllables(a: number[], b: number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function ngramSections(model: TrigramModel, ngramWords: number): Record<string, NumberArray> {
  const bigramCount = new Uint32Array(ngramWords);
  const bigram = { next: [] as number[], logp: [] as number[], backoff: [] as number[] };
  const trigram = { count: [] as number[], next: [] as number[], logp: [] as number[] };
  for (let first = 0; first < ngramWords; first++) {
    const row = [...(model.bigrams.get(first) ?? [])].sort(([a], [b]) => a - b);
    bigramCount[first] = row.length;
    for (const [second, node] of row) {
      bigram.next.push(second);
      bigram.logp.push(code(node.logp));
      bigram.backoff.push(code(node.backoff));
      const thirds = [...node.next].sort(([a], [b]) => a - b);
      trigram.count.push(thirds.length);
      for (const [third, logp] of thirds) {
        trigram.next.push(third);
        trigram.logp.push(code(logp));
      }
    }
  }
  return {
    'bigram.count': narrowArray(bigramCount),
    'bigram.next': narrowArray(bigram.next),
    'bigram.logp': Uint8Array.from(bigram.logp),
    'bigram.backoff': Uint8Array.from(bigram.backoff),
    'trigram.count': narrowArray(trigram.count),
    'trigram.next': narrowArray(trigram.next),
    'trigram.logp': Uint8Array.from(trigram.logp),
  };
}

function code(logp: number): number {
  return Math.min(255, Math.max(0, Math.round(-logp / LOG_STEP)));
}
