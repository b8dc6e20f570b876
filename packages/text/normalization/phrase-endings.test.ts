import { describe, expect, test } from 'vitest';
import { isPicture, meaningOfMarks, openingLength } from './phrase-endings.ts';
import { joinPhrases } from './join-phrases.ts';
import { tokenizePiece } from './tokenize.ts';
import { plainText } from './plain-text.ts';
import { languageOfTokens } from './language-of-tokens.ts';
import type { PhraseEnding, SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';

describe('the meaning of marks', () => {
  test.each([
    ['。', 'statement', true],
    ['.', 'statement', true],
    ['？', 'question', true],
    ['?!', 'question', true],
    ['!?', 'question', true],
    ['！！！', 'exclamation', true],
    ['...', 'ellipsis', false],
    ['……', 'ellipsis', false],
    ['。。。', 'ellipsis', false],
    ['..', 'statement', true],
    ['，', 'comma', false],
    ['、', 'comma', false],
    ['：', 'comma', false],
    ['—', 'comma', false],
    ['（', 'comma', false],
    ['」', 'none', false],
    ['"', 'none', false],
    ["'", 'none', false],
    ['。」', 'statement', true],
    ['，。', 'statement', true],
    ['', 'none', false],
  ])('%j: %s', (marks, ending, endsSentence) => {
    expect(meaningOfMarks(marks)).toMatchObject({ ending, endsSentence });
  });

  test.each([
    ['「', true, 1],
    ['。「', true, 1],
    ['。「『', true, 2],
    ['「。', false, 0],
    ['(', true, 1],
    ['“', true, 1],
    ['」', false, 0],
    ['', false, 0],
  ])('%j opens: %s', (marks, opens, length) => {
    expect(meaningOfMarks(marks).opens).toBe(opens);
    expect(openingLength(marks)).toBe(length);
  });
});

test.each([
  ['😀', true],
  ['❤️', true],
  ['👍🏻', true],
  ['の', false],
  ['Привет', false],
  ['\u{10FFFF}', false],
])('%j is a picture: %s', (text, expected) => {
  expect(tokenizePiece(text, 'cantonese').tokens.some(({ token }) => isPicture(token))).toBe(expected);
});

const phrase = (ending: PhraseEnding, words: readonly string[], language: Language): SpokenPhrase => ({
  ending,
  words: words.map((spokenForm) => ({ written: spokenForm, spokenForm, language, reading: [] })),
});

describe('phrases as one text', () => {
  test('with the punctuation of the language', () => {
    const endings: PhraseEnding[] = ['comma', 'statement', 'question', 'exclamation', 'ellipsis', 'none'];
    const phrases = (language: Language) => endings.map((ending) => phrase(ending, ['a'], language));
    expect(joinPhrases(phrases('english'), 'english')).toBe('a, a. a? a! a... a');
    const chinese = endings.map((ending) => phrase(ending, ['好'], 'cantonese'));
    expect(joinPhrases(chinese, 'cantonese')).toBe('好，好。好？好！好……好');
  });

  test('with spaces between Latin words only', () => {
    expect(joinPhrases([phrase('statement', ['one', 'two'], 'english')], 'english')).toBe('one two.');
    expect(joinPhrases([phrase('statement', ['一', '二'], 'mandarin')], 'mandarin')).toBe('一二。');
  });

  test('an English phrase in a Chinese text has English marks', () => {
    expect(
      joinPhrases([phrase('comma', ['OK'], 'english'), phrase('statement', ['好'], 'cantonese')], 'cantonese'),
    ).toBe('OK,好。');
  });

  test('of nothing is empty', () => {
    expect(joinPhrases([], 'cantonese')).toBe('');
  });
});

describe('a plain text', () => {
  test.each([
    ['ＡＢＣ１２３', 'ABC123'],
    ['５０％', '50%'],
    ['＄１２', '$12'],
    ['３：３０', '3:30'],
    ['1，000', '1,000'],
    ['1，00', '1，00'],
    ['好，1', '好，1'],
    ['−5', '-5'],
    ['a‐b', 'a-b'],
    ['don’t', "don't"],
    ['二○二六', '二〇二六'],
    ['＃＠＿', '#@_'],
    ['￥￡￦', '¥£₩'],
    ['１．５', '1.5'],
  ])('of %s is %s', (text, plain) => {
    expect(plainText(text, 'cantonese')).toBe(plain);
  });

  test('has the length of the text, whatever it holds', () => {
    for (const text of ['😀１２', '\ud800１', '**粗體**', '<b>x</b>', '\u0000\u202e', '', 'Ａ'.repeat(5_000)]) {
      expect(plainText(text, 'cantonese')).toHaveLength(text.length);
    }
  });
});

const languagesOf = (text: string, language: Language) => {
  const { tokens } = tokenizePiece(text, language);
  const languageAt = languageOfTokens(
    tokens.map(({ token }) => token),
    language,
  );
  return tokens.map((_, index) => languageAt(index));
};

describe('the language of tokens', () => {
  test.each([
    ['see you at 3', 'cantonese', 'english english english english'],
    ['我有3個', 'cantonese', 'cantonese cantonese cantonese'],
    ['三十個人', 'english', 'cantonese'],
    ['top 10 list', 'cantonese', 'english english english'],
    ['level 9', 'cantonese', 'cantonese english'],
    ['我去 level 9 食飯', 'cantonese', 'cantonese cantonese english cantonese'],
    ['我有 apple 3 個', 'cantonese', 'cantonese cantonese cantonese cantonese'],
    ['R & D 部門', 'mandarin', 'mandarin english mandarin mandarin'],
    ['hello 你好', 'english', 'english english'],
  ] as const)('of %s in %s', (text, language, expected) => {
    expect(languagesOf(text, language).join(' ')).toBe(expected);
  });
});
