import { encodeModelFile } from '#engines/builtin/decoder/model-file.ts';
import type { TrigramModel } from './ngram.ts';
import type { VocabularyWord } from './vocabulary.ts';

/** Nats per step of a stored logarithm: 255 steps reach e^−25.5. */
const LOG_STEP = 0.1;

/**
 * Bytes of the model file, as src/engines/builtin/decoder/language-model.ts reads it. Words are in number order, word 0
 * the boundary; the first `ngramWords` of them may stand in n-grams. Homophones lie most frequent first, because the
 * search tries only so many.
 */
export function encodeModel(
  words: VocabularyWord[],
  ngramWords: number,
  model: TrigramModel,
  description: string,
): Uint8Array {
  const { syllables, pronunciations } = sortedPronunciations(words, model);
  const characters = [...new Set(words.flatMap((word) => [...word.text]))];
  const characterNumbers = new Map(characters.map((char, number) => [char, number]));
  const spelt = words.map((word) => [...word.text].map((char) => characterNumbers.get(char) ?? 0));
  return encodeModelFile(
    { syllables, characters: characters.join(''), logStep: LOG_STEP, description },
    {
      'word.length': Uint8Array.from(spelt, (chars) => chars.length),
      'word.characters': Uint16Array.from(spelt.flat()),
      'word.logp': Uint8Array.from(words, (_, number) => code(model.unigramLogp[number] ?? -Infinity)),
      'word.backoff': Uint8Array.from({ length: ngramWords }, (_, number) => code(model.unigramBackoff[number] ?? 0)),
      'pron.word': Uint32Array.from(pronunciations, (entry) => entry.word),
      'pron.logp': Uint8Array.from(pronunciations, (entry) => code(Math.log(entry.probability))),
      'pron.syllables': Uint16Array.from(pronunciations.flatMap((entry) => entry.syllables)),
      ...ngramSections(model, ngramWords),
    },
  );
}

type Pronunciation = { word: number; syllables: number[]; probability: number };

function sortedPronunciations(
  words: VocabularyWord[],
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

function ngramSections(model: TrigramModel, ngramWords: number): Record<string, Uint8Array | Uint16Array> {
  const bigramCount = new Uint16Array(ngramWords);
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
    'bigram.count': bigramCount,
    'bigram.next': Uint16Array.from(bigram.next),
    'bigram.logp': Uint8Array.from(bigram.logp),
    'bigram.backoff': Uint8Array.from(bigram.backoff),
    'trigram.count': Uint16Array.from(trigram.count),
    'trigram.next': Uint16Array.from(trigram.next),
    'trigram.logp': Uint8Array.from(trigram.logp),
  };
}

function code(logp: number): number {
  return Math.min(255, Math.max(0, Math.round(-logp / LOG_STEP)));
}
