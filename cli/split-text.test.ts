import { expect, test } from 'vitest';
import { splitText } from './split-text.ts';

test.each([
  ['a short text', '早晨。', ['早晨。']],
  ['nothing', ' \n ', []],
  ['paragraphs', '一二三四。\n\n五六七八。\n\n九十。', ['一二三四。', '五六七八。\n\n九十。']],
  ['lines', '一二三四五\n六七八九十\n', ['一二三四五', '六七八九十']],
  ['sentences', '一二三！四五六？七八九。十', ['一二三！四五六？', '七八九。十']],
  ['sentences in letters', 'Ab cd ef. Gh ij.', ['Ab cd ef.', 'Gh ij.']],
  ['clauses', '一二三，四五六，七八九，十', ['一二三，四五六，', '七八九，十']],
  ['words', 'abcd efgh ijkl', ['abcd efgh', 'ijkl']],
  ['neither', '一二三四五六七八九十百千', ['一二三四五六七八九十百', '千']],
  ['characters of two units', '𠀀'.repeat(12), ['𠀀'.repeat(11), '𠀀']],
])('cuts at the strongest break: %s', (_name, text, parts) => {
  expect(splitText(text, 11)).toEqual(parts);
});

test('SSML is one part, and thoughts are none', () => {
  const document = `<speak>${'好。'.repeat(100)}</speak>`;
  expect(splitText(`<think>hm</think>\n${document}`, 11)).toEqual([document]);
  expect(splitText('<think>一二三四五六七八九十。一二三四。</think>早晨。', 11)).toEqual(['早晨。']);
});

test.each(['好，'.repeat(5_000), 'a'.repeat(20_000), '一。二\n\n三 '.repeat(2_000)])(
  'parts are short enough and together the whole text',
  (text) => {
    const parts = splitText(text);
    expect(Math.max(...parts.map((part) => [...part].length))).toBeLessThanOrEqual(4_500);
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
  },
);
