import { formatPinyin, parsePinyin } from '@jyutsing/text/syllables/pinyin';
import { pinyin } from 'pinyin-pro';

/** A reading with its share among the readings of a word. */
export interface WeighedReading {
  syllables: string[];
  probability: number;
}

/** Share of a character's listed readings that no rule below weights. */
const OTHER_READINGS_SHARE = 0.06;

/**
 * Readings of single characters in running text whose shares differ from the dictionary, mainly
 * particles.
 */
const CHARACTERS: Readonly<Record<string, string>> = {
  的: 'de5 0.97 di4 0.02 di2 0.01',
  了: 'le5 0.95 liao3 0.05',
  着: 'zhe5 0.9 zhao2 0.08 zhuo2 0.02',
  地: 'de5 0.6 di4 0.4',
  得: 'de5 0.75 dei3 0.15 de2 0.1',
  过: 'guo4 0.7 guo5 0.3',
  上: 'shang4 0.7 shang5 0.3',
  里: 'li3 0.5 li5 0.5',
  来: 'lai2 0.8 lai5 0.2',
  去: 'qu4 0.85 qu5 0.15',
  个: 'ge4 0.5 ge5 0.5',
  们: 'men5 0.98 men2 0.02',
  啊: 'a5 0.8 a1 0.15 a4 0.05',
  吧: 'ba5 1',
  呢: 'ne5 0.97 ni2 0.03',
  吗: 'ma5 1',
  嘛: 'ma5 1',
  呀: 'ya5 0.7 ya1 0.3',
  啦: 'la5 0.8 la1 0.2',
  嗯: 'en1 0.5 en4 0.4 en5 0.1',
  哦: 'o5 0.4 o4 0.4 o2 0.2',
  诶: 'ei1 0.3 ei4 0.3 ei2 0.4',
  那: 'na4 0.9 nei4 0.1',
  这: 'zhe4 0.9 zhei4 0.1',
  哪: 'na3 0.95 nei3 0.05',
  谁: 'shei2 0.93 shui2 0.07',
  还: 'hai2 0.97 huan2 0.03',
  都: 'dou1 0.98 du1 0.02',
  和: 'he2 0.97 huo4 0.02 he4 0.01',
  没: 'mei2 0.99 mo4 0.01',
  好: 'hao3 0.96 hao4 0.04',
  要: 'yao4 0.98 yao1 0.02',
  会: 'hui4 0.99 kuai4 0.01',
  给: 'gei3 0.99 ji3 0.01',
  为: 'wei4 0.7 wei2 0.3',
  只: 'zhi3 0.7 zhi1 0.3',
  长: 'chang2 0.75 zhang3 0.25',
  行: 'xing2 0.75 hang2 0.25',
  重: 'zhong4 0.85 chong2 0.15',
  觉: 'jue2 0.5 jiao4 0.5',
  干: 'gan4 0.6 gan1 0.4',
  种: 'zhong3 0.85 zhong4 0.15',
  倒: 'dao4 0.6 dao3 0.4',
  当: 'dang1 0.85 dang4 0.15',
  便: 'bian4 0.97 pian2 0.03',
  乐: 'le4 0.8 yue4 0.2',
  数: 'shu4 0.7 shu3 0.3',
  教: 'jiao1 0.6 jiao4 0.4',
  相: 'xiang1 0.8 xiang4 0.2',
  中: 'zhong1 0.96 zhong4 0.04',
  儿: 'er2 0.8 er5 0.2',
};

/** Pinyin with a tone number, `v` for ü and 5 for the neutral tone; null if invalid. */
export function numberedPinyin(marked: string): string | null {
  const decomposed = marked.normalize('NFD').replaceAll('u\u0308', 'v').replaceAll('ü', 'v');
  const tone = ['\u0304', '\u0301', '\u030c', '\u0300'].findIndex((mark) => decomposed.includes(mark)) + 1;
  const letters = decomposed.replaceAll(/[\u0300-\u036f]/g, '');
  // The models lack the sound of 哟, so it maps to the nearest one.
  const syllable = parsePinyin(`${letters === 'yo' ? 'you' : letters}${tone === 0 ? 5 : tone}`);
  return syllable === null ? null : formatPinyin(syllable);
}

/** Returns the readings of a word with shares that sum to 1; empty if unreadable. */
export function createPinyinReader(table: ReadonlyMap<string, string>): (word: string) => WeighedReading[] {
  return (word) => {
    const fixed = CHARACTERS[word];
    if (fixed !== undefined) return fixedReadings(fixed);
    const length = [...word].length;
    const listed = length === 1 ? characterReadings(word) : wordReadings(word, table.get(word));
    const weights = new Map<string, number>();
    for (const { syllables, probability } of listed) {
      if (syllables.length !== length) continue;
      const key = syllables.join(' ');
      weights.set(key, (weights.get(key) ?? 0) + probability);
    }
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    return [...weights].map(([key, weight]) => ({ syllables: key.split(' '), probability: weight / total }));
  };
}

function fixedReadings(written: string): WeighedReading[] {
  const fields = written.split(' ');
  return Array.from({ length: fields.length / 2 }, (_, index) => ({
    syllables: [fields[2 * index] ?? ''],
    probability: Number(fields[2 * index + 1]),
  }));
}

function characterReadings(char: string): WeighedReading[] {
  const marked = pinyin(char, { type: 'array', multiple: true, toneSandhi: false });
  const readings = marked.map(numberedPinyin).filter((syllable) => syllable !== null);
  const otherShare = readings.length > 1 ? OTHER_READINGS_SHARE : 0;
  return readings.map((syllable, index) => ({
    syllables: [syllable],
    probability: index === 0 ? 1 - otherShare : otherShare / (readings.length - 1),
  }));
}

/**
 * Readings of the table and of the library; both are accepted where they differ (often in a neutral
 * tone). Tones are those of the dictionary: the search applies sandhi of 一, 不 and third tones.
 */
function wordReadings(word: string, listed: string | undefined): WeighedReading[] {
  const chars = [...word];
  const libraryReading = pinyin(word, { type: 'array', toneSandhi: false });
  const readings = [listed?.split(' '), libraryReading]
    .map((reading) => reading?.map((marked, index) => dictionaryTone(chars[index] ?? '', numberedPinyin(marked))))
    .filter((reading) => reading?.every((syllable) => syllable !== null))
    .flatMap((reading) => (reading === undefined ? [] : [reading.filter((syllable) => syllable !== null)]));
  return readings.map((syllables) => ({ syllables, probability: 1 / readings.length }));
}

function dictionaryTone(char: string, syllable: string | null): string | null {
  if (char === '一' && syllable?.startsWith('yi')) return 'yi1';
  if (char === '不' && syllable?.startsWith('bu')) return 'bu4';
  return syllable;
}
