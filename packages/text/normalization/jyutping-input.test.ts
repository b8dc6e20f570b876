import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { piecesOfJyutping } from './jyutping-input.ts';

const readings = (jyutping: string, text: string | null = null) =>
  piecesOfJyutping(jyutping, text).map(({ phrases }) =>
    phrases.map((phrase) => phrase.words.flatMap((word) => word.reading).join(' ')),
  );

function refusalOf(jyutping: string, text: string | null = null): AppError {
  try {
    piecesOfJyutping(jyutping, text);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  expect.unreachable('expected a refusal');
}

/** Rethrows everything but an AppError. */
function outcomeOf(jyutping: string, text: string | null): void {
  try {
    piecesOfJyutping(jyutping, text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

test('syllables are spoken exactly as given', () => {
  expect(readings('hou4  hou6\nhou1')).toEqual([['hou4 hou6 hou1']]);
});

test('punctuation separates phrases, and sentences are pieces', () => {
  const pieces = piecesOfJyutping('zou2 san4. nei5 hou2 maa3? hou2, do1 ze6！', null);
  expect(pieces.map(({ phrases, endsSentence }) => [phrases.map(({ ending }) => ending), endsSentence])).toEqual([
    [['statement'], true],
    [['question'], true],
    [['comma', 'exclamation'], true],
  ]);
});

test('the first piece ends at the first comma', () => {
  expect(readings('nei5 hou2, ngo5 hai6 aa3 ming4.')).toEqual([['nei5 hou2'], ['ngo5 hai6 aa3 ming4']]);
});

test('hundreds of syllables without punctuation are cut into pieces of a breath', () => {
  const pieces = piecesOfJyutping('hou2 '.repeat(300), null);
  expect(pieces.map(({ endsSentence }) => endsSentence)).toEqual([...Array.from({ length: 7 }, () => false), true]);
});

test('beside a text, the syllables override the dictionary', () => {
  const [piece] = piecesOfJyutping('hong4 dou6', '行道');
  const words = piece?.phrases[0]?.words ?? [];
  expect(words.map(({ written }) => written).join('')).toBe('行道');
  expect(words.flatMap(({ reading }) => reading)).toEqual(['hong4', 'dou6']);
});

test('numbers of a text take a syllable for each character in words; English stays English', () => {
  const words = piecesOfJyutping('ngo5 jau5 sap6 ji6 go3', '我有12個 apple').flatMap(({ phrases }) =>
    phrases.flatMap((phrase) => phrase.words),
  );
  expect(words.find(({ written }) => written === '12')?.reading).toEqual(['sap6', 'ji6']);
  expect(words.at(-1)).toEqual({ written: 'apple', language: 'english', spokenForm: 'apple', reading: [] });
});

test('a wrong number of syllables is refused with both counts', () => {
  const { code, message } = refusalOf('nei5 hou2', '你好嗎');
  expect(code).toBe('invalid_request');
  expect(message).toMatch(/2 syllables.*3 characters/);
  expect(refusalOf('nei5', '你好').message).toMatch(/1 syllable, .*2 characters/);
  expect(refusalOf('nei5 hou2', '你').message).toMatch(/2 syllables, .*1 character to/);
});

test.each([
  ['nei5 hou nei', '"hou" has no tone'],
  ['nei5 HOU2', '"HOU2" has a capital'],
  ['nei5 xou2', '"xou2" is no syllable'],
  ['nei5hou2', '"nei5hou2" is no syllable'],
  ['hou7', '"hou7" has no tone'],
  ['你5', '"?5" is no syllable'],
])('%s names the first bad syllable', (jyutping, expected) => {
  expect(refusalOf(jyutping).message).toContain(expected);
});

test('the message for nonsense fits a header and a log line', () => {
  const { message } = refusalOf(`a\u0000\u001b[31m${'😀x'.repeat(3_000)}`);
  expect(message).toMatch(/^[\x20-\x7e]{1,160}$/);
});

test('punctuation alone gives no pieces', () => {
  expect(piecesOfJyutping(' ,.? ', null)).toEqual([]);
});

test('any input is accepted or refused with an AppError', () => {
  const token = fc.oneof(
    fc.constantFrom('nei5', 'hou2', ',', '。', '?', ' '),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(token), fc.option(fc.string({ unit: 'binary' })), (tokens, text) => {
      expect(() => outcomeOf(tokens.join(' '), text)).not.toThrow();
    }),
  );
});
