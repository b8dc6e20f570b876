import { join } from 'node:path';
import { Converter } from 'opencc-js/t2cn';
import { pinyin } from 'pinyin-pro';
import { type Sentence, foldOf, linesOf, readJson } from './corpora.ts';
import { type NamedModel } from './named-model.ts';
import { readOpenGram } from './open-gram.ts';
import { numberedPinyin } from './pinyin-readings.ts';

const HAN_WORD = /^\p{Script=Han}+$/u;
/** Marks that end a clause and stand for the boundary of an utterance. */
const CLAUSE_MARKS = /^[，。；？！：…]$/u;
const simplified = Converter({ from: 't', to: 'cn' });

/** True for words in Simplified characters only. */
export function isSimplifiedWord(word: string): boolean {
  return HAN_WORD.test(word) && simplified(word) === word;
}

/** Frequencies of the Simplified words of jieba's dictionary. */
export function readJiebaCounts(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesOf(join(folder, 'jieba-dict.txt'))) {
    const [word = '', count = '0'] = line.split(' ');
    if (isSimplifiedWord(word)) counts.set(word, Number(count));
  }
  return counts;
}

/** Words in the training recordings of the acoustic model. */
export function readRecordedWords(folder: string): string[] {
  const texts = linesOf(join(folder, 'cmn-words.tsv')).map((line) => line.split('\t')[1] ?? '');
  return texts.slice(1).filter((text) => HAN_WORD.test(text));
}

/** Word trigrams of open-gram. */
export function readMandarinTrigrams(folder: string): Promise<NamedModel> {
  return readOpenGram(join(folder, 'open-gram.txt'), join(folder, 'pydict_sc.bin'));
}

/** True for words of open-gram that end a clause. */
export function isClauseMark(word: string): boolean {
  return CLAUSE_MARKS.test(word);
}

/**
 * Word readings from the tables of pinyin-pro: pinyin with tone marks, syllables separated by
 * spaces.
 */
export function readPinyinTable(folder: string): Map<string, string> {
  const path = join(folder, 'node_modules/@pinyin-pro/data/json/complete.json');
  const table = readJson(path) as Record<string, [string, number]>;
  return new Map(Object.entries(table).map(([word, [pinyin]]) => [word, pinyin]));
}

/**
 * Sentences for measurement: one per line, split into runs of Han characters, with readings of
 * pinyin-pro. Never used for training.
 */
export function readMandarinSentences(path: string): Sentence[] {
  return linesOf(path)
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const pieces: string[] = line.match(/\p{Script=Han}+/gu) ?? [];
      // Pieces and readings must have equal lengths for scoring.
      const syllables = pieces.flatMap((piece) =>
        pinyin(piece, { type: 'array', toneSandhi: false }).map((marked) => numberedPinyin(marked) ?? ''),
      );
      return { source: 'written', pieces, syllables, fold: foldOf(line) };
    });
}
