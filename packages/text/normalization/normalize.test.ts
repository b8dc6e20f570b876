import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

const spell = (text: string, language: Language = 'cantonese', endsSentence = true) =>
  normalize(tokenizePiece(text, language, endsSentence), language);
const endings = (text: string, language: Language = 'cantonese') =>
  spell(text, language)?.phrases.map((phrase) => phrase.ending);
const words = (text: string, language: Language = 'cantonese') =>
  spell(text, language)?.phrases.flatMap((phrase) =>
    phrase.words.map(({ written, spokenForm, language: of }) => [written, spokenForm, of]),
  );

const fragments = fc.constantFrom(
  '今日', '我哋', '兩個', '，', '。', '？', '(', ')', ' ', '\n', '3', '1/2', '3-5', '12:30', '25°C', '50%', 'HK$12.50', '$', '+', '-', '=', 'MTR', 'iPhone 15',
  'A11', 'COVID-19', '2026年', '11月21日', '21/11/2026', '+852 9123 4567', 'a@b.com', 'www.gov.hk', '#香港', '@peter', '😀', '\u0000', '\u202e', '\ud83d', 'ｆｕｌｌ１２', '½',
  'km/h', '5km', 'Nov 21', '第IV章', "don't", '々', '瓩', 'の', 'Привет', '٣', '000', '1'.repeat(30), 'Dr.', 'U.S.', '1st', '2:1', 'v1.2', '100-', 'K', '萬',
); // prettier-ignore
const anyText = fc
  .array(fc.oneof(fragments, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 25 })
  .map((parts) => parts.join(''));

test('a text without speakable content gives null', () => {
  for (const text of ['', '。。。', '😀', ' ', '\u0000']) expect(spell(text)).toBeNull();
});

test('`written` is as in the text, `spokenForm` in words', () => {
  expect(words('我買咗$12嘅coffee')).toEqual([
    ['我', '我', 'cantonese'],
    ['買', '買', 'cantonese'],
    ['咗', '咗', 'cantonese'],
    ['$12', '十二蚊', 'cantonese'],
    ['嘅', '嘅', 'cantonese'],
    ['coffee', 'coffee', 'english'],
  ]);
});

test('full-width digits are verbalized and keep their written form', () => {
  expect(words('共１２個')).toContainEqual(['１２', '十二', 'cantonese']);
});

test('letters are English, one by one', () => {
  expect(words('搭MTR')).toContainEqual(['MTR', 'M T R', 'english']);
});

test('a piece in English only is spoken in English, whatever the language of the text', () => {
  expect(
    spell('See you at 3:30 in room 12')?.phrases.every((phrase) =>
      phrase.words.every((word) => word.language === 'english'),
    ),
  ).toBe(true);
  expect(words('三十個人', 'english')?.every(([, , language]) => language === 'cantonese')).toBe(true);
});

test('punctuation determines the endings of phrases', () => {
  expect(endings('喂，你好！你係邊個？我係……阿明。')).toEqual([
    'comma',
    'exclamation',
    'question',
    'ellipsis',
    'statement',
  ]);
  expect(endings('Well, is it you? Yes!', 'english')).toEqual(['comma', 'question', 'exclamation']);
});

test('a particle makes a question without a question mark', () => {
  expect(endings('你食咗飯嗎')).toEqual(['question']);
  expect(endings('係咩。')).toEqual(['question']);
  expect(endings('你食咗飯喇')).toEqual(['statement']);
});

test('a phrase that continues in the next piece has no ending', () => {
  expect(spell('我哋今日去', 'cantonese', false)?.phrases.map(({ ending }) => ending)).toEqual(['none']);
  expect(spell('我哋今日，', 'cantonese', false)?.phrases.map(({ ending }) => ending)).toEqual(['comma']);
});

test('a space between clauses is a pause, one within a name is none', () => {
  expect(endings('今日落大雨 我哋唔去行山')).toEqual(['comma', 'statement']);
  expect(endings('陳 大文')).toEqual(['statement']);
});

test('a telephone number is spoken in its groups', () => {
  expect(spell('2345 6789')?.spokenForm).toBe('二三四五，六七八九。');
});

test('the spoken form keeps the punctuation of the language', () => {
  expect(spell('OK, let us go. Now?', 'english')?.spokenForm).toBe('O K, let us go. Now?');
  expect(spell('好, 走啦! 3點?')?.spokenForm).toBe('好，走啦！三點？');
});

test('any text in any language: no error, words in the order of the text, no digits or signs in spoken forms', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...LANGUAGES), fc.boolean(), (text, language, endsSentence) => {
      const piece = normalize(tokenizePiece(text, language, endsSentence), language);
      if (piece === null) return;
      let at = 0;
      for (const { words } of piece.phrases) {
        expect(words.length).toBeGreaterThan(0);
        for (const { written, spokenForm } of words) {
          expect(written).not.toBe('');
          expect(spokenForm.trim()).not.toBe('');
          expect(spokenForm).not.toMatch(/[0-9$%]/);
          const found = text.indexOf(written, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + written.length;
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['ₐHK$12', [['ₐ', 'A'], ['HK', 'H K'], ['$12', '十二蚊']]],
  ['𝐏𝐨𝐥𝐲𝐔開學', [['𝐏𝐨𝐥𝐲', 'Poly'], ['𝐔', 'U'], ['開學', '開學']]],
  ['Poly\u00ADU', [['Poly', 'Poly'], ['\u00ADU', 'U']]],
  ['𝐀11出口', [['𝐀', 'A'], ['11', '十一'], ['出口', '出口']]],
  ['ABǲoo', [['ABǲoo', 'ABDzoo']]],
] as const)('the words of %s are written as in the text, and spoken in plain letters', (text, expected) => {
  expect(words(text)?.map(([written, spokenForm]) => [written, spokenForm])).toEqual(expected);
  expect(expected.map(([written]) => written).join('')).toBe(text);
}); // prettier-ignore

test('a sign with letters and a digit is one word', () => {
  const words = normalize(tokenizePiece('㍸', 'cantonese'), 'cantonese')?.phrases[0]?.words;
  expect(words?.map(({ written, spokenForm }) => [written, spokenForm])).toEqual([['㍸', 'D M']]);
});

test('5,000 repetitions of any unit are normalized', () => {
  for (const unit of ['字', '1', 'a', '😀', '$', '1-', '\ud800', 'A1', '(', '½', '第', '1:']) {
    expect(() => spell(unit.repeat(5_000 / unit.length))).not.toThrow();
  }
});

test('Greek letters are read by name, の between characters as 之', () => {
  const rows: [text: string, spokenForm: string, language?: Language][] = [
    ['β測試', 'beta測試。'],
    ['α', 'alpha.'],
    ['😀Ω', 'omega.'],
    ['50Ω電阻', '五十歐姆電阻。'],
    ['ΔT', 'delta T.'],
    ['5μm厚', '五微米厚。'],
    ['優の良品', '優之良品。'],
    ['π is 3', 'pi is three.', 'english'],
    ['β版', 'beta版。', 'mandarin'],
    ['多謝(≧ω≦)', '多謝。'],
    ['好呀(´・ω・`)', '好呀。'],
    ['好>ω<', '好。'],
    ['α、β同γ', 'alpha,beta同gamma。'],
    ['頻率(ω)', '頻率，omega.'],
  ];
  expect(rows.map(([text, , language]) => spell(text, language)?.spokenForm)).toEqual(rows.map(([, spoken]) => spoken));
});
