import { expect, test } from 'vitest';
import { createReadableWriter } from '#text/readable.ts';

function written(words: readonly string[], everydaySpelling: boolean) {
  const timed = words.map((text, index) => ({
    text,
    startMs: index * 200,
    endMs: index * 200 + 200,
    confidence: null,
    reading: null,
  }));
  const segment = { startMs: 0, endMs: words.length * 200, speaker: null, confidence: null };
  const writer = createReadableWriter('cantonese', { punctuation: false, numerals: false, everydaySpelling });
  writer.add({ ...segment, text: words.join(''), words: timed });
  const { text = '', words: after = [] } = writer.end() ?? {};
  return { text, words: after.map((word) => word.text) };
}

test.each([
  [['係', '噉', '㗎'], '係咁㗎'],
  [['噉樣', '好', '呀'], '咁樣好呀'],
  [['係', '啊'], '係呀'],
  [['等', '吓', '先'], '等下先'],
  [['吓吓', '都', '係'], '下下都係'],
  [['而家吓'], '而家下'],
])('%j is written %s in everyday spelling', (words, text) => {
  expect(written(words, true).text).toBe(text);
  expect(written(words, true).words.join('')).toBe(text);
  expect(written(words, false).text).toBe(words.join(''));
});

test('words that sound otherwise stay', () => {
  for (const words of [['咁', '大'], ['吓', '你', '話', '咩'], ['啊', '我', '知'], ['嚇親'], ['一下']]) {
    expect(written(words, true).text).toBe(words.join(''));
  }
});
