import type { ModelLanguage, Sentence } from './corpora.ts';
import {
  isClauseMark,
  readJiebaCounts,
  readMandarinSentences,
  readMandarinTrigrams,
  readPinyinTable,
  readRecordedWords,
} from './corpora-cmn.ts';
import {
  pronounce,
  readEnglishSentences,
  readEnglishSpelling,
  readPronunciations,
  readSubtitleCounts,
} from './corpora-eng.ts';
import { readCantoneseCounts, readCantoneseLexicon, readCantoneseSentences } from './corpora-yue.ts';
import { join } from 'node:path';
import { readEnglishInCantonese } from './english-in-cantonese.ts';
import { createPinyinReader } from './pinyin-readings.ts';
import { readSphinxTrie } from './sphinx-trie.ts';
import { TRAINING_OPTIONS, trainModel } from './train.ts';
import { type MixingOptions, trainMixedModel } from './train-mixed.ts';
import { buildEnglishVocabulary } from './vocabulary-eng.ts';
import { buildMandarinVocabulary } from './vocabulary-cmn.ts';

/** Builds a model file from a folder of sources, without the sentences of some folds. */
type ModelBuilder = (folder: string, hiddenFolds: readonly number[]) => Promise<Uint8Array>;

/** Settings of languages with published trigrams; discounts are those of Cantonese. */
const MIXING: MixingOptions = {
  corpusShare: 0.5,
  discounts: TRAINING_OPTIONS.discounts,
  minimumTrigramCount: 1,
  priorPower: 1,
  foreignShare: 0.8,
  ngramBytes: 3_000_000,
};

/** Builders by language. README.md lists the sources that each folder must contain. */
export const BUILDERS: Readonly<Record<ModelLanguage, ModelBuilder>> = {
  yue: async (folder, hiddenFolds) =>
    trainModel(
      {
        sentences: readCantoneseSentences(folder).filter(({ fold }) => !hiddenFolds.includes(fold)),
        lexicon: readCantoneseLexicon(folder),
        counts: readCantoneseCounts(folder),
        foreign: readEnglishInCantonese(folder),
      },
      TRAINING_OPTIONS,
      'Cantonese word trigrams and lexicon from HKCanCor (CC BY), Common Voice (CC0) and rime-cantonese (CC BY 4.0)',
    ),
  cmn: buildMandarin,
  eng: buildEnglish,
};

async function buildMandarin(folder: string): Promise<Uint8Array> {
  const trigrams = await readMandarinTrigrams(folder);
  const vocabulary = buildMandarinVocabulary(
    trigrams,
    readJiebaCounts(folder),
    readRecordedWords(folder),
    createPinyinReader(readPinyinTable(folder)),
    { size: 100_000, maximumLength: 6, trigramShare: 0.9, minimumReadingShare: 0.01 },
  );
  const numbers = new Map(vocabulary.map(({ text }, number) => [text, number]));
  const numberOf = (text: string): number | undefined =>
    isClauseMark(text) ? 0 : text === '' ? undefined : numbers.get(text);
  return trainMixedModel(
    { vocabulary, foreign: trigrams, numberOf, sentences: [] },
    MIXING,
    'Mandarin word trigrams and lexicon, adapted from open-gram (CC BY-SA 3.0), jieba (MIT) and pinyin-pro (MIT, ISC); ' +
      'licensed under CC BY-SA 3.0, http://creativecommons.org/licenses/by-sa/3.0/',
  );
}

async function buildEnglish(folder: string, hiddenFolds: readonly number[]): Promise<Uint8Array> {
  const trigrams = readSphinxTrie(join(folder, 'en-us.lm.bin'));
  const sentences = readEnglishSentences(folder).filter(({ fold }) => !hiddenFolds.includes(fold));
  const spell = readEnglishSpelling(folder);
  const required = new Set(
    sentences
      .filter(({ source }) => source === 'learners')
      .flatMap(({ pieces }) => pieces.map((word) => word.toLowerCase())),
  );
  const sources = {
    trigrams,
    subtitleCounts: readSubtitleCounts(folder).counts,
    pronunciations: await readPronunciations(folder),
  };
  const vocabulary = buildEnglishVocabulary(sources, required, spell, { size: 60_000, trigramShare: 0.6 });
  const numbers = new Map(vocabulary.map(({ text }, number) => [text, number]));
  const numberOf = (text: string): number | undefined =>
    text === '<s>' || text === '</s>' ? 0 : numbers.get(spell(text));
  return trainMixedModel(
    { vocabulary, foreign: trigrams, numberOf, sentences: sentences.map(({ pieces }) => pieces) },
    MIXING,
    'English word trigrams and lexicon from the CMU Sphinx US English model (BSD), CMUdict (BSD), SUBTLEX-US, ' +
      'speechocean762 (CC BY 4.0), WordNet (Princeton) and State of the Union addresses (public domain)',
  );
}

/**
 * Sentences with readings for measurement or tuning. Mandarin has no corpus, so its sentences are
 * our own.
 */
export async function readEvaluationSentences(
  language: ModelLanguage,
  folder: string,
  fold: number,
): Promise<Sentence[]> {
  if (language === 'yue') return readCantoneseSentences(folder).filter((sentence) => sentence.fold === fold);
  if (language === 'cmn') {
    // Few sentences and never trained on: even folds are for measurement, odd ones for tuning.
    const sentences = readMandarinSentences(join(import.meta.dirname, 'sentences-cmn.txt'));
    return sentences.filter((sentence) => sentence.fold % 2 === fold % 2);
  }
  const dictionary = await readPronunciations(folder);
  return readEnglishSentences(folder)
    .filter((sentence) => sentence.fold === fold)
    .flatMap((sentence) => {
      const spoken = sentence.pieces.map((word) => pronounce(dictionary, word.toLowerCase())?.[0]);
      const syllables = spoken.filter((phones) => phones !== undefined);
      return syllables.length === spoken.length ? [{ ...sentence, syllables: syllables.flat() }] : [];
    });
}
