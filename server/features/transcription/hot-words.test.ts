import { expect, it } from 'vitest';
import { hotWordsOf, withHotWords } from './hot-words.ts';

it('takes the weightiest words once, and as many as a recognizer bears', () => {
  const entries = Array.from({ length: 150 }, (_, at) => ({
    text: `詞${at % 120}`,
    jyutping: null,
    weight: at === 119 ? 9 : 1,
  }));
  const words = hotWordsOf(entries);
  expect(words).toHaveLength(100);
  expect(words.slice(0, 2)).toEqual(['詞119', '詞0']);
  expect(new Set(words).size).toBe(100);
});

it('joins them behind the context, where a limited prompt keeps the context', () => {
  expect(withHotWords(null, [])).toBeNull();
  expect(withHotWords('開會', [])).toBe('開會');
  expect(withHotWords('開會', ['荔枝角', '石硤尾'])).toBe('開會、荔枝角、石硤尾');
  expect(withHotWords(null, ['荔枝角'])).toBe('荔枝角');
});
