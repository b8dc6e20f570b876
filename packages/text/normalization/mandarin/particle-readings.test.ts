import { describe, expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { addPinyin } from './add-pinyin.ts';

/** The pinyin of a Simplified text that is one word of the spoken text. */
function read(text: string): string {
  const word: SpokenWord = { written: text, spokenForm: text, language: 'mandarin', reading: [] };
  return addPinyin([word])[0]!.reading.join(' ');
}

/** Readings that depend on the neighbors, after the tables of Xiandai Hanyu Cidian. */
const TEXTS: Readonly<Record<string, readonly (readonly [text: string, reading: string])[]>> = {
  particles: [
    ['我的书', 'wo3 de5 shu1'],
    ['目的', 'mu4 di4'],
    ['的确', 'di2 que4'],
    ['的士', 'di1 shi4'],
    ['他们', 'ta1 men5'],
    ['你呢', 'ni3 ne5'],
    ['走吧', 'zou3 ba5'],
    ['是吗', 'shi4 ma5'],
    ['什么', 'shen2 me5'],
    ['怎么', 'zen3 me5'],
  ],
  得: [
    ['跑得快', 'pao3 de5 kuai4'],
    ['得到', 'de2 dao4'],
    ['我得走', 'wo3 dei2 zou3'],
    ['取得', 'qu3 de2'],
    ['觉得', 'jue2 de5'],
  ],
  了: [
    ['吃了', 'chi1 le5'],
    ['受不了', 'shou4 bu5 liao3'],
    ['了解', 'liao2 jie3'],
    ['不得了', 'bu4 de2 liao3'],
  ],
  还: [
    ['还有', 'hai2 you3'],
    ['还是', 'hai2 shi4'],
    ['还钱', 'huan2 qian2'],
    ['还给他', 'huan2 gei3 ta1'],
  ],
  长: [
    ['长大', 'zhang3 da4'],
    ['很长', 'hen3 chang2'],
    ['校长', 'xiao4 zhang3'],
    ['长城', 'chang2 cheng2'],
  ],
  行: [
    ['银行', 'yin2 hang2'],
    ['不行', 'bu4 xing2'],
    ['行业', 'hang2 ye4'],
    ['行走', 'xing2 zou3'],
  ],
  '重, 乐, 都, 好': [
    ['重庆', 'chong2 qing4'],
    ['重要', 'zhong4 yao4'],
    ['音乐', 'yin1 yue4'],
    ['快乐', 'kuai4 le4'],
    ['首都', 'shou3 du1'],
    ['都是', 'dou1 shi4'],
    ['爱好', 'ai4 hao4'],
    ['好人', 'hao3 ren2'],
  ],
  '只, 种, 量, 数': [
    ['一只猫', 'yi4 zhi1 mao1'],
    ['只有', 'zhi2 you3'],
    ['种树', 'zhong4 shu4'],
    ['一种', 'yi4 zhong3'],
    ['商量', 'shang1 liang5'],
    ['质量', 'zhi4 liang4'],
    ['数学', 'shu4 xue2'],
    ['数钱', 'shu3 qian2'],
  ],
  '子 and 儿': [
    ['桌子', 'zhuo1 zi5'],
    ['原子', 'yuan2 zi3'],
    ['孔子', 'kong2 zi3'],
    ['儿子', 'er2 zi5'],
    ['女儿', 'nv3 er2'],
    ['花儿', 'hua1 er5'],
  ],
  surnames: [
    ['单先生', 'shan4 xian1 sheng5'],
    ['姓曾', 'xing4 zeng1'],
    ['姓任', 'xing4 ren2'],
  ],
};

describe.each(Object.entries(TEXTS))('%s', (_group, rows) => {
  test.each(rows)('%s is %s', (text, reading) => {
    expect(read(text)).toBe(reading);
  });
});

test.each([
  ['銀行', '银行'],
  ['長大', '长大'],
  ['還錢', '还钱'],
  ['兒子', '儿子'],
  ['麵條', '面条'],
  ['頭髮', '头发'],
])('%s is read like %s', (traditional, simplified) => {
  expect(read(traditional)).toBe(read(simplified));
});

test('a character that no dictionary knows has no syllable, and its neighbors keep theirs', () => {
  expect(read('𠮷')).toBe('');
  expect(read('好𠮷人')).toBe('hao3 ren2');
});
