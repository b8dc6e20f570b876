import { describe, expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { createSpokenJyutping } from '#text/readings/spoken-jyutping.ts';
import { readTarget } from '#text/pronunciation/read-target.ts';

const LANGUAGES = ['cantonese', 'mandarin', 'english'] as const;
const AROUND: Readonly<Record<Language, readonly [string, string]>> = {
  cantonese: ['佢有 ', ' 呀'],
  mandarin: ['他有 ', ' 吗'],
  english: ['he has ', ' now'],
};

/**
 * Signs that are silent although their plain form has letters: ™ and ℠ are not read aloud, ℹ is a
 * picture, and a fraction without its denominator is none.
 */
const SILENT = new Set('™℠ℹ⅟');

const spokenWords = (text: string, language: Language): SpokenWord[] =>
  splitText(text, language).flatMap((piece) =>
    (normalize(piece, language)?.phrases ?? []).flatMap(({ words }) => words),
  );
const spokenForms = (text: string, language: Language) =>
  spokenWords(text, language).map(({ spokenForm }) => spokenForm);

const writtenOf = (text: string) => spokenWords(text, 'cantonese').map(({ written }) => written);

/** Every character whose plain form has a digit, a Latin or Greek letter or a Chinese character. */
function charactersSeen(): string[] {
  const seen: string[] = [];
  for (let code = 0x80; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const plain = character.normalize('NFKC');
    if (plain !== character && /[\d\p{Script=Latin}\p{Script=Greek}\p{Script=Han}]/u.test(plain)) seen.push(character);
  }
  return seen;
}

const SEEN = charactersSeen();

describe.each(LANGUAGES)('in %s', (language) => {
  test('every character that is seen as a digit, a letter or a Chinese character is spoken', () => {
    const [before, after] = AROUND[language];
    // One text of many sentences is far cheaper than many texts.
    const silentIn = (sentences: readonly string[]) => {
      const spoken = spokenWords(sentences.join('。\n'), language).filter(({ spokenForm }) =>
        /\p{L}/u.test(spokenForm),
      );
      const written = spoken.map((word) => word.written).join(' ');
      return SEEN.filter((character) => !written.includes(character) && !SILENT.has(character));
    };
    expect(silentIn(SEEN.map((character) => before + character + after))).toEqual([]);
    expect(silentIn(SEEN)).toEqual([]);
    expect(SEEN.length).toBeGreaterThan(3000);
  });

  test.each([
    ['𝟏𝟐', '12'],
    ['𝟙𝟚', '12'],
    ['𝟬.𝟱', '0.5'],
    ['$𝟏𝟐𝟎', '$120'],
    ['𝟏𝟐:𝟑𝟎', '12:30'],
    ['𝟮𝟬𝟮𝟲年', '2026年'],
    ['𝟱𝟬%', '50%'],
    ['𝟑𝐤𝐦', '3km'],
    ['𝟓𝐆', '5G'],
    ['𝐀𝟏𝟏', 'A11'],
    ['𝟐𝟑𝟒𝟓 𝟔𝟕𝟖𝟗', '2345 6789'],
    ['𝟏𝟗𝟐.𝟏𝟔𝟖.𝟎.𝟏', '192.168.0.1'],
    ['𝟏𝟎²', '10²'],
    ['𝛂 𝚨', 'α Α'],
    ['1ˢᵗ 2ⁿᵈ', '1st 2nd'],
    ['🅿️', 'P'],
    ['1⁄2', '1/2'],
    ['🄷🄺', 'HK'],
    ['🅗🅚🆃🆅', 'HKTV'],
    ['⒝ 🄑', 'b B'],
    ['ℝ', 'R'],
  ])('%s is spoken as %s', (text, plain) => {
    const [before, after] = AROUND[language];
    expect(spokenForms(before + text + after, language)).toEqual(spokenForms(before + plain + after, language));
  });
});

test('words of folded characters are as they are written', () => {
  expect(writtenOf('佢有𝟏𝟐蚊')).toEqual(['佢', '有', '𝟏𝟐蚊']);
  expect(writtenOf('搭𝟗𝟔𝟎𝐗去𝐏𝐨𝐥𝐲𝐔')).toEqual(['搭', '𝟗𝟔𝟎', '𝐗', '去', '𝐏𝐨𝐥𝐲', '𝐔']);
  expect(createSpokenJyutping()('有𝟏𝟐蚊呀')).toEqual([
    { character: '有', jyutping: 'jau5' },
    { character: '𝟏𝟐蚊', jyutping: 'sap6 ji6 man1' },
    { character: '呀', jyutping: 'aa3' },
  ]);
});

test.each(LANGUAGES)('%s digits of mathematics are scored as plain ones', async (language) => {
  const [before, after] = AROUND[language];
  const unitsOf = async (number: string) =>
    (await readTarget(before + number + after, language)).units.map((unit) => ({ ...unit, text: '' }));
  expect(await unitsOf('𝟏𝟐')).toEqual(await unitsOf('12'));
});

test('a piece never ends within a character', () => {
  const pieces = splitText('𝟏'.repeat(2000), 'cantonese');
  expect(pieces.map(({ text }) => text).join('')).toBe('𝟏'.repeat(2000));
  expect(pieces.filter(({ text }) => !text.isWellFormed())).toEqual([]);
});

describe('raised digits with nothing to raise', () => {
  test.each([
    ['佢話⁻⁶', '佢 話 負六'],
    ['⁶', '六'],
    ['答案係 ²', '答案 係 二'],
    ['係⁺¹²呀', '係 加十二 呀'],
  ])('are a number in %s', (text, words) => {
    expect(spokenForms(text, 'cantonese').join(' ')).toBe(words);
  });

  test.each([
    ['研究指出²，', '研究 指出'],
    ['研究¹指出', '研究 指出'],
    ['「好食」³', '好 食'],
  ])('mark a note in %s', (text, words) => {
    expect(spokenForms(text, 'cantonese').join(' ')).toBe(words);
  });
});
