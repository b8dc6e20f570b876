import { describe, expect, test } from 'vitest';
import type { Language, Word } from '@jyutsing/contracts/transcript';
import { punctuate } from './punctuate.ts';

/** Words of 200 ms, one after another; a number between them is a pause in milliseconds. */
function wordsOf(text: string): Word[] {
  let atMs = 0;
  const words: Word[] = [];
  for (const part of text.split(' ')) {
    if (/^\d+$/.test(part)) atMs += Number(part);
    else {
      words.push({ text: part, startMs: atMs, endMs: atMs + 200, reading: null, confidence: null });
      atMs += 200;
    }
  }
  return words;
}
const written = (text: string, language: Language = 'cantonese') => punctuate(wordsOf(text), language);
const spaced = (text: string) => [...text].join(' ');

describe('marks at pauses', () => {
  test.each([
    ['我 今 日 去', '我今日去。', 'no pause'],
    ['我 今 日 去 400 聽 日 返', '我今日去，聽日返。', 'a comma after 350 ms'],
    ['我 今 日 去 300 聽 日 返', '我今日去，聽日返。', 'also after less where the words agree'],
    ['佢 哋 去 公 300 園 行 下', '佢哋去公園行下。', 'none after less within a word'],
    ['佢 哋 去 公 500 園 行 下', '佢哋去公園行下。', 'hesitation within a word'],
    ['我 今 日 去 1000 聽 日 返', '我今日去。聽日返。', 'a stop after 900 ms'],
    ['我 400 今 日 去', '我今日去。', 'hesitation'],
    ['我 1000 今 日 去', '我今日去。', 'hesitation'],
    ['我 哋 1000 今 日 去', '我哋。今日去。', 'two words and a long pause'],
  ])('%s: %s, %s', (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  test.each([
    ['so we go home', 'So we go home.'],
    ['so we go home 400 and sleep', 'So we go home, and sleep.'],
    ['so we go home 1000 then we sleep', 'So we go home. Then we sleep.'],
    ["i think i'm late", "I think I'm late."],
    ['the i-pad is mine', 'The i-pad is mine.'],
  ])('in English: %s', (text, expected) => {
    expect(written(text, 'english')).toBe(expected);
  });
});

describe('marks without a pause, where the words alone are clear', () => {
  test.each([
    ['今日天氣好好我哋去公園行下啦好唔好', '今日天氣好好，我哋去公園行下啦，好唔好？'],
    ['因為落大雨所以我冇出街', '因為落大雨，所以我冇出街。'],
    ['喂你食咗飯未呀我啱啱返到屋企', '喂你食咗飯未呀？我啱啱返到屋企。'],
    ['喺中環碼頭等', '喺中環碼頭等。'],
    ['呢個政策會影響好多市民', '呢個政策會影響好多市民。'],
  ])('%s', (text, expected) => {
    expect(written(spaced(text))).toBe(expected);
  });

  test('in Mandarin', () => {
    expect(written(spaced('今天天气很好我们去公园走走吧'), 'mandarin')).toBe('今天天气很好，我们去公园走走吧。');
  });

  test('other spellings of a word and words of several characters are alike', () => {
    expect(written('噉 我 都 未 做 喇')).toBe('噉我都未做喇。');
    expect(written('今日 天氣 好好 我哋 去 公園 行下 啦')).toBe('今日天氣好好，我哋去公園行下啦。');
  });
});

describe('questions', () => {
  test.each([
    ['你 食 咗 飯 未 呀', '你食咗飯未呀？'],
    ['你 係 咪 香 港 人', '你係咪香港人？'],
    ['你 去 唔 去 500 我 都 去', '你去唔去，我都去。'],
    ['你 去 唔 去 1000 我 都 去', '你去唔去？我都去。'],
    ['等 我 話 你 聽 500 點 解', '等我話你聽，點解。'],
    ['你 吃 饭 了 吗', '你吃饭了吗？'],
  ])('%s', (text, expected) => {
    expect(written(text, text.includes('吃') ? 'mandarin' : 'cantonese')).toBe(expected);
  });
});

describe('a telephone number', () => {
  test.each([
    ['九八七六|五四三二', '九八七六五四三二。'],
    ['電話係二八|八一|零一|八一|記得打嚟', '電話係二八八一零一八一，記得打嚟。'],
    ['由一九九七|二零零三', '由一九九七，二零零三。'],
    ['二零零三|二零零四', '二零零三，二零零四。'],
    ['一二三四|五六七八', '一二三四，五六七八。'],
  ])('has no marks inside, other digits have: %s', (text, expected) => {
    expect(written(spaced(text.replaceAll('|', '/')).replaceAll('/', '500'))).toBe(expected);
  });
});

describe('unusual words', () => {
  test('nothing is nothing', () => {
    expect(punctuate([], 'cantonese')).toBe('');
    expect(punctuate(wordsOf(' '), 'english')).toBe('');
  });

  test('a long word at the end of which nobody speaks is a pause', () => {
    const words = wordsOf('我 今 日 去 聽 日 返 嚟');
    words[3] = { ...words[3]!, endMs: words[3]!.startMs + 2_000 };
    for (const word of words.slice(4)) {
      word.startMs += 1_800;
      word.endMs += 1_800;
    }
    expect(punctuate(words, 'cantonese')).toBe('我今日去。聽日返嚟。');
  });

  test('times that run backwards or are missing do no harm', () => {
    const words = wordsOf('我 今 日 去').map((word, index) => ({ ...word, startMs: -index, endMs: Number.NaN }));
    expect(punctuate(words, 'cantonese')).toBe('我今日去。');
  });

  test('ten thousand words take little time', () => {
    expect(punctuate(wordsOf('字 '.repeat(10_000).trim()), 'cantonese')).toHaveLength(10_001);
  });
});
