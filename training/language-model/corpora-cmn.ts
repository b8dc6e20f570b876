import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Converter } from 'opencc-js/t2cn';
import { pinyin } from 'pinyin-pro';
import { type Sentence, foldOf, linesOf } from './corpora.ts';
import { type NamedModel } from './named-model.ts';
import { readOpenGram } from './open-gram.ts';
import { numberedPinyin } from './pinyin-readings.ts';

const HAN_WORD = /^\p{Script=Han}+$/u;
/** What ends a clause, and so stands for the boundary of an utterance. */
const CLAUSE_MARKS = /^[，。；？！：…]$/u;
const simplified = Converter({ from: 't', to: 'cn' });

/** Whether a word is written in Simplified characters only. */
export function isSimplifiedWord(word: string): boolean {
  return HAN_WORD.test(word) && simplified(word) === word;
}

/** How often the words of jieba's dictionary were seen, Simplified ones only. */
export function readJiebaCounts(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesOf(join(folder, 'jieba-dict.txt'))) {
    const [word = '', count = '0'] = line.split(' ');
    if (isSimplifiedWord(word)) counts.set(word, Number(count));
  }
  return counts;
}

/** The recorded words that the acoustic model knows. */
export function readRecordedWords(folder: string): string[] {
  const texts = linesOf(join(folder, 'cmn-words.tsv')).map((line) => line.split('\t')[1] ?? '');
  return texts.slice(1).filter((text) => HAN_WORD.test(text));
}

/** Word trigrams of open-gram. */
export function readMandarinTrigrams(folder: string): Promise<NamedModel> {
  return readOpenGram(join(folder, 'open-gram.txt'), join(folder, 'pydict_sc.bin'));
}

/** Whether a word of open-gram marks the end of a clause. */
export function isClauseMark(word: string): boolean {
  return CLAUSE_MARKS.test(word);
}

/** Readings of words by the tables of pinyin-pro: pinyin with tone marks, several characters apart by spaces. */
export function readPinyinTable(folder: string): Map<string, string> {
  const path = join(folder, 'node_modules/@pinyin-pro/data/json/complete.json');
  const table = JSON.parse(readFileSync(path, 'utf8')) as Record<string, [string, number]>;
  return new Map(Object.entries(table).map(([word, [pinyin]]) => [word, pinyin]));
}

/**
 * Sentences to measure with: a file of one sentence a line, runs of Han characters between other marks becoming the
 * pieces, read by pinyin-pro. Nothing is trained on them.
 */
export function readMandarinSentences(path: string): Sentence[] {
  return linesOf(path)
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const pieces: string[] = line.match(/\p{Script=Han}+/gu) ?? [];
      // Each piece is as long as its readings, or it could not be scored.
      const syllables = pieces.flatMap((piece) =>
        pinyin(piece, { type: 'array', toneSandhi: false }).map((marked) => numberedPinyin(marked) ?? ''),
      );
      return { source: 'written', pieces, syllables, fold: foldOf(line) };
    });
}
