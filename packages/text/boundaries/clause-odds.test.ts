import { expect, test } from 'vitest';
import { clauseOdds } from './clause-odds.ts';

test('there is one value for each word, whatever the words hold', () => {
  const odds = clauseOdds(['今日', '天氣', '好好', '', '，', 'WhatsApp', '我', '啦', '。'], 'cantonese')!;
  expect(odds).toHaveLength(9);
  expect(odds.every(Number.isFinite)).toBe(true);
  expect(clauseOdds([], 'mandarin')).toEqual([]);
});

test('a clause ends rather after a particle than within a word', () => {
  const words = [...'我食咗飯啦佢都係'];
  const odds = clauseOdds(words, 'cantonese')!;
  const likely = words.filter((_, index) => index < words.length - 1 && odds[index]! > 0);
  expect(likely).toEqual(['啦']);
});

test('the last word says nothing, as nothing is known of what follows', () => {
  expect(clauseOdds(['好', '啦'], 'cantonese')!.at(-1)).toBe(0);
});

test('words of several characters have the odds of their last one', () => {
  const single = clauseOdds([...'今日天氣好好我哋去'], 'cantonese')!;
  const joined = clauseOdds(['今日', '天氣', '好好', '我哋', '去'], 'cantonese')!;
  expect(joined).toEqual([1, 3, 5, 7, 8].map((index) => single[index]));
});

test('a word that is longer in lower case leaves the odds of the others where they are', () => {
  const [dotted, plain] = ['İstanbul', 'Istanbul'].map((word) =>
    clauseOdds([word, ...'我食咗飯啦佢都係'], 'cantonese')!,
  );
  expect(dotted!.slice(5)).toEqual(plain!.slice(5));
});

test('Simplified and Traditional text have the same odds; English has none', () => {
  expect(clauseOdds([...'今天天氣很好我們去'], 'mandarin')).toEqual(clauseOdds([...'今天天气很好我们去'], 'mandarin'));
  expect(clauseOdds(['so', 'we', 'go'], 'english')).toBeNull();
});
