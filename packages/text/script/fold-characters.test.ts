import { expect, test } from 'vitest';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { createSpokenJyutping } from '#text/readings/spoken-jyutping.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import { readTarget } from '#text/pronunciation/read-target.ts';
import { countHan } from '#text/corpora/check-entry.ts';
import { termsOf } from '#text/corpora/terms.ts';
import { languageOfText } from '#text/language-of-text.ts';
import { foldCharacters, privateCharacters } from './fold-characters.ts';
import { readingForm } from './reading-form.ts';

const charactersBetween = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
const spokenWords = (text: string) =>
  splitText(text, 'cantonese').flatMap((piece) =>
    (normalize(piece, 'cantonese')?.phrases ?? []).flatMap(({ words }) => words),
  );

/** Texts as they come out of PDFs and old systems, and what people see there. */
const SEEN = [
  ['⾹港⼤學⽴⼈', '香港大學立人'],
  ['⾦⿓魚⾁⾷品', '金龍魚肉食品'],
  ['⻑⻘⻝⻣⻤', '長青食骨鬼'],
  ['金利來了解鍊', '金利來了解鍊'],
  ['\u{2F804}\u{2F80F}', '你\uFE00兔\uFE00'],
  ['二O二六年', '二〇二六年'],
  ['二Ο二О年', '二〇二〇年'],
  ['一九九0年', '一九九〇年'],
  ['三OO四室', '三〇〇四室'],
  ['㊙密㊣版㊗賀㈱', '秘密正版祝賀株'],
  ['〡〢〣〩〸', '一二三九十'],
  ['ㄧ齊', '一齊'],
  ['\uECD9\uECD1\uECD8\uECD0', '咗嘅喺㗎'],
] as const;

test('characters are folded to those that people see', () => {
  expect(SEEN.map(([text]) => foldCharacters(text))).toEqual(SEEN.map(([, seen]) => seen));
  expect(SEEN.filter(([text]) => foldCharacters(text).length !== text.length)).toEqual([]);
});

test('letters, numbers and other texts stay', () => {
  for (const text of ['OK', '2O26', '一O', 'A一O', '①②', '⑶', 'X○X', '\uF0B7 一點', '\uF8FF', '⿰木目', '']) {
    expect(foldCharacters(text)).toBe(text);
  }
});

test('every radical and compatibility character in use has a reading', () => {
  const all = [
    ...charactersBetween(0x2f00, 0x2fd5),
    ...charactersBetween(0x2e84, 0x2ef3),
    ...charactersBetween(0xf900, 0xfad9),
  ];
  const named = all.filter((character) => /\p{L}|\p{So}/u.test(character));
  const unread = named.filter(
    (character) => textToJyutping(readingForm(foldCharacters(character)))[0]?.jyutping == null,
  );
  expect(named.length).toBeGreaterThan(750);
  // The rest are radicals that are no word, and characters of Japanese names.
  expect(unread.length).toBeLessThan(30);
});

test.each([
  ['5㎞', '五公里'],
  ['3㏄', '三C C'],
  ['10㎏', '十公斤'],
  ['80㎡', '八十平方米'],
  ['以㎞計', '以K M計'],
  ['㋀㏠', '一月一日'],
  ['㍛', '三點'],
  ['㍿㍻', '株式會社平成'],
  ['呢間𝐇𝐞𝐥𝐥𝐨店', '呢間Hello店'],
  ['個com\u00ADputer', '個computer'],
  ['啲o\uFB03ce', '啲office'],
  ['\uECD4門', '𨋢門'],
])('%s is spoken as %s, and comes back as it was sent', (text, spoken) => {
  const words = spokenWords(text);
  expect(words.map(({ spokenForm }) => spokenForm).join('')).toBe(spoken);
  expect(words.map(({ written }) => written).join('')).toBe(text);
});

test('text-to-jyutping and scoring read them too', async () => {
  const text = '⾹港二O二六年\uECD4';
  const parts = createSpokenJyutping()(text);
  expect(parts.map(({ character }) => character).join('')).toBe(text);
  expect(parts.map(({ jyutping }) => jyutping).join(' ')).toBe('hoeng1 gong2 ji6 ling4 ji6 luk6 nin4 lip1');
  const { units } = await readTarget('⾹港\uECD4', 'cantonese');
  expect(units.map((unit) => [unit.text, unit.kind === 'syllable' ? unit.readings[0] : null])).toEqual([
    ['⾹', 'hoeng1'],
    ['港', 'gong2'],
    ['\uECD4', 'lip1'],
  ]);
  const { units: inMandarin } = await readTarget('⾹港', 'mandarin');
  expect(inMandarin.map((unit) => [unit.text, unit.kind === 'syllable' ? unit.readings[0] : null])).toEqual([
    ['⾹', 'xiang1'],
    ['港', 'gang3'],
  ]);
});

test('the private characters are those of HKSCS', () => {
  expect(privateCharacters().size).toBeGreaterThan(4_500);
  expect(privateCharacters().get('\uE000')).toBe('𠕇');
});

test('the language of a text and the readings of a term count what people see', () => {
  expect(languageOfText('\uECD9\uECD1\uECD8 the best of all')).toBe('cantonese');
  expect(countHan('⾹港\uECD4')).toBe(3);
  const [term] = termsOf([{ text: '⾹港胜利', jyutping: null, weight: 1 }]);
  expect(term?.readings[0]?.join(' ')).toBe('hoeng1 gong2 sing3 lei6');
});
