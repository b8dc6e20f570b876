import { expect, it } from 'vitest';
import { charactersIn } from '#console/core/characters.ts';
import { headingsOf, passagesOf, wordPieces } from './passages.ts';

it('speaks the first sentence alone and joins the later ones', () => {
  expect(passagesOf('早晨！今日天氣幾好。不如去飲茶？')).toEqual(['早晨！', '今日天氣幾好。不如去飲茶？']);
  expect(passagesOf('一\n\n二\n三')).toEqual(['一', '二', '三']);
  expect(passagesOf(' \n ')).toEqual([]);
});

it('loses no character of a long text, and makes no passage longer than its sentences need', () => {
  const text = '呢句說話有十個字啊。'.repeat(40);
  const passages = passagesOf(text);
  expect(passages.join('')).toBe(text);
  expect(Math.max(...passages.map(({ length }) => length))).toBe(120);
});

it('finds timed words in their text, and passes over those that are not in it', () => {
  const words = [
    { text: '我', start: 0, end: 0.2 },
    { text: '十二', start: 0.2, end: 0.5 },
    { text: '歲', start: 0.5, end: 0.9 },
  ];
  expect(wordPieces('我12歲。', words)).toEqual([
    { text: '我', start: 0 },
    { text: '12', start: null },
    { text: '歲', start: 0.5 },
    { text: '。', start: null },
  ]);
});

it('counts characters as the service charges them', () => {
  expect(charactersIn(' 𨋢a好 ')).toBe(3);
  expect(charactersIn('<think>我諗下</think>\n早晨')).toBe(2);
  expect(charactersIn('<?xml version="1.0"?><!-- 好 --><speak>早<break/>晨 &amp;</speak>')).toBe(4);
  expect(charactersIn('<speak><sub alias="世界">W</sub><metadata>1</metadata></speak>')).toBe(2);
});

it('keeps SSML together', () => {
  const document = '<speak><s>早晨。</s>\n<s>再見。</s></speak>';
  expect(passagesOf(`${document}\n`)).toEqual([document]);
});

it('speaks headings without their marks, as passages of their own', () => {
  const text = '序。\n# 第一章 早晨\n大家好。\n## 細節\n#標籤唔係標題。';
  expect(passagesOf(text)).toEqual(['序。', '第一章 早晨', '大家好。', '細節', '#標籤唔係標題。']);
  expect([...headingsOf(text)]).toEqual(['第一章 早晨', '細節']);
  // The first one keeps its sentences together too.
  expect(passagesOf('# 點解？因為。貴！\r\n大家好。')).toEqual(['點解？因為。貴！', '大家好。']);
});
