import { type LexiconEntry, type Sentence } from './corpora.ts';
import { type TrigramOptions, trainTrigrams } from './ngram.ts';
import { createSegmenter } from './segment.ts';
import { type VocabularyOptions, type VocabularyWord, buildVocabulary } from './vocabulary.ts';
import { encodeModel } from './write-model.ts';

/** Hyperparameters of the model, chosen by experiment. */
type TrainingOptions = VocabularyOptions &
  TrigramOptions & {
    /** Weight of a corpus occurrence relative to the frequency list for segmentation. */
    segmentationWeight: number;
    /** Whether to keep the segmentation of the spoken corpus. */
    keepCorpusWords: boolean;
  };

export const TRAINING_OPTIONS: TrainingOptions = {
  minimumCount: 20_000,
  unseenCount: 30,
  maximumLength: 6,
  corpusShare: 0.8,
  discounts: [0.5, 0.85, 0.85],
  minimumTrigramCount: 1,
  priorPower: 1,
  segmentationWeight: 1000,
  keepCorpusWords: true,
};

/** The sources of a model. Sentences must not include held-out ones. */
type TrainingMaterial = {
  sentences: Sentence[];
  lexicon: LexiconEntry[];
  counts: Map<string, number>;
  /** Words of another language that sentences may hold anywhere. */
  foreign: readonly VocabularyWord[];
};

/** Builds a model file. */
export function trainModel(
  { sentences, lexicon, counts, foreign }: TrainingMaterial,
  options: TrainingOptions,
  description: string,
): Uint8Array {
  const chinese = buildVocabulary(sentences, lexicon, counts, options);
  const segmented = segmentSentences(sentences, chinese, options);
  const vocabulary = [...chinese, ...foreign];
  const corpusCounts = new Map<string, number>();
  for (const word of segmented.flat()) corpusCounts.set(word, (corpusCounts.get(word) ?? 0) + 1);
  const boundary: VocabularyWord = { text: '', priorCount: 0, readings: [] };
  const words = [boundary, ...vocabulary].sort(
    (a, b) =>
      Number(b.text === '') - Number(a.text === '') ||
      (corpusCounts.get(b.text) ?? 0) - (corpusCounts.get(a.text) ?? 0) ||
      b.priorCount - a.priorCount,
  );
  const numbers = new Map(words.map((word, number) => [word.text, number]));
  const ngramWords = 1 + words.filter((word) => corpusCounts.has(word.text)).length;
  const numbered = segmented.map((sentence) => [0, ...sentence.map((word) => numbers.get(word) ?? 0), 0]);
  const prior = Float64Array.from(words, (word) => word.priorCount);
  return encodeModel(words, ngramWords, trainTrigrams(numbered, prior, 0, options), description);
}

function segmentSentences(sentences: Sentence[], vocabulary: VocabularyWord[], options: TrainingOptions): string[][] {
  const priorCounts = new Map(vocabulary.map((word) => [word.text, word.priorCount]));
  const weights = new Map(priorCounts);
  for (const { pieces } of sentences) {
    for (const piece of pieces) {
      const weight = weights.get(piece);
      if (weight !== undefined) weights.set(piece, weight + options.segmentationWeight);
    }
  }
  const segment = createSegmenter(weights, options.maximumLength);
  return sentences.map(({ pieces, source }) => {
    const keepsWords = source === 'hkcancor' && options.keepCorpusWords;
    const texts = keepsWords ? pieces : source === 'hkcancor' ? [pieces.join('')] : pieces;
    return texts
      .flatMap((text) => (keepsWords && priorCounts.has(text) ? [text] : segment(text)))
      .filter((word) => priorCounts.has(word));
  });
}
