import { join } from 'node:path';
import { foldOf, linesOf } from '../language-model/corpora.ts';

/**
 * Particles and interjections, which the corpus spells in its own way, and whose tone depends on
 * the mood of the speaker.
 */
const PARTICLES = new Set(
  '喇啦嘞囖囉咯嘍嚹喀㗎𡃉嘎架啊呀吖丫嗄喎啝呢𠻹吓嗎咩嘛喳咋啫唧喺㖭添噃嗱哪哎唉誒欸咦嗯哦噢呃喂吔嘿呵哈哼唓哩𠸏𠺢𠿪吧',
);

/**
 * Readings of words for which the corpus writes the character of another word: 嚟 as 來, 仲 as 重,
 * 返 as 翻, 畀 as 俾, 呢 as 哩, 便 as 邊. It also has an older vowel in 刻 and 黑.
 */
const OTHERWISE_WRITTEN = new Set([
  '重 zung6',
  '來 lai4',
  '來 lei4',
  '俾 bei2',
  '翻 faan1',
  '邊 bin6',
  '刻 haak1',
  '黑 haak1',
]);

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

/** Whether the reading that people wrote is one of the word that the character writes today. */
export function isComparable(character: string, reading: string): boolean {
  if (PARTICLES.has(character) || OTHERWISE_WRITTEN.has(`${character} ${reading}`)) return false;
  return /\p{Script=Han}/u.test(character);
}
