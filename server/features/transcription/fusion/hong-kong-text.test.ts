import { describe, expect, it } from 'vitest';
import { toHongKongText, toHongKongTexts } from './hong-kong-text.ts';

describe('a text in Hong Kong characters', () => {
  it.each([
    // Simplified as a whole, or in part.
    ['我们去香港', '我們去香港'],
    ['发现头发', '發現頭髮'],
    ['食紧饭', '食緊飯'],
    ['后边', '後邊'],
  ])('%s is Simplified: %s', (text, written) => {
    expect(toHongKongText(text)).toEqual({ isSimplified: true, converted: written, written });
  });

  it.each([
    '我們去香港',
    // Characters of both scripts: 涌, 后, 里, 面, 松, 余 prove nothing.
    '鰂魚涌',
    '皇后大道',
    '十里洋場',
    '松樹',
    '余先生',
    // Characters of Cantonese that the standard lacks.
    '佢哋喺嗰度嘅嘢',
    '冚唪唥',
    '',
    'hello, 2026!',
    '🎤😀',
    '𠮷野家',
  ])('%j is not, and stays', (text) => {
    expect(toHongKongText(text)).toMatchObject({ isSimplified: false, written: text });
  });

  it.each([
    ['羣眾', '群眾'],
    ['裡面', '裏面'],
    ['台灣', '台灣'],
    ['臺灣', '台灣'],
  ])('%s has the usual forms: %s', (text, written) => {
    expect(toHongKongText(text)).toMatchObject({ isSimplified: false, written });
  });

  it('keeps the number of characters, so that they keep their times', () => {
    for (const text of ['我们去香港', '发现头发', '裡面嘅羣眾', '𠮷野家在这里', 'a后b里c这']) {
      const { converted, written } = toHongKongText(text);
      expect([...converted]).toHaveLength([...text].length);
      expect([...written]).toHaveLength([...text].length);
    }
  });

  it('would be converted as if it were Simplified, for comparisons', () => {
    expect(toHongKongText('皇后')).toMatchObject({ isSimplified: false, written: '皇后' });
    expect(toHongKongText('里面').converted).toBe('裏面');
  });
});

it('many texts at once are the same as one by one', () => {
  const texts = ['我们去香港', '鰂魚涌', '', '裡面', 'hello', '𠮷野家', '发', '后', '头', '发'];
  expect(toHongKongTexts(texts)).toEqual(texts.map(toHongKongText));
  expect(toHongKongTexts([])).toEqual([]);
  // Each by itself: 头 and 发 do not make a word.
  expect(toHongKongTexts(['头', '发']).map(({ written }) => written)).toEqual(['頭', '發']);
});
