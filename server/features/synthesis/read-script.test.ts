import { expect, test } from 'vitest';
import { countSyllables, readScript } from './read-script.ts';

const source = { text: null, jyutping: null, language: 'cantonese', fromSimplified: false } as const;
const textsOf = (text: string) =>
  readScript({ ...source, text }).parts.map((part) => ('text' in part ? part.text : part.spokenForm));

test('a text is its pieces, the first one short', () => {
  const text = '早晨，今日天氣好好。我哋一齊去飲茶啦！';
  const pieces = textsOf(text);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(text);
  expect(readScript({ ...source, text, fromSimplified: true }).fromSimplified).toBe(true);
  expect(readScript({ ...source, text, language: 'mandarin', fromSimplified: true }).fromSimplified).toBe(false);
});

test.each(['a', '\u{20BB7}', 'ab-'])(
  'a piece is never so long that it keeps others waiting: %j again and again',
  (part) => {
    const text = part.repeat(4_800 / part.length);
    const pieces = textsOf(text);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map((piece) => Array.from(piece).length))).toBeLessThanOrEqual(300);
  },
);

test.each(['', ' ', '。。。', '\u{1F600}\u{1F600}', '\u202e\u0000', '\u{D800}', 'שלום'])(
  'nothing that can be said is refused: %j',
  (text) => {
    expect(() => readScript({ ...source, text })).toThrow('nothing that can be said');
  },
);

test('jyutping is its syllables, alone or beside a text', () => {
  const alone = readScript({ ...source, jyutping: 'nei5 hou2, zou2 san4.' });
  expect(countSyllables(alone)).toBe(4);
  const beside = readScript({ ...source, text: '你好', jyutping: 'lei5 hou2' });
  expect(countSyllables(beside)).toBe(2);
  expect(() => readScript({ ...source, jyutping: 'hello' })).toThrow('"hello"');
  expect(() => readScript({ ...source, jyutping: '。' })).toThrow('nothing that can be said');
});
