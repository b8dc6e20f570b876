import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { SPEED_BOUNDS } from '../server/features/synthesis/make-speech-file.ts';
import { SummarizeBody } from '../server/http/video-summary/schema.ts';
import { language, numberWithin, spokenLanguage, summaryLanguage } from './argument-parsers.ts';
import { SPEEDS } from './speak.ts';

it('the bounds of --speed are those of the service', () => {
  expect(SPEEDS).toEqual(SPEED_BOUNDS);
});

it.each(['cantonese', 'Korean', 'ja', 'ja-JP', 'kor', 'zh', 'zh-HK', 'EN', 'french', 'auto', 'jargon', 'k'])(
  'the language "%s" of a summary is taken or refused as by the service',
  (text) => {
    expect(isTaken(text)).toBe(SummarizeBody.safeParse({ url: 'x', summaryLanguage: text }).success);
  },
);

function isTaken(text: string): boolean {
  try {
    return summaryLanguage(text) === text;
  } catch {
    return false;
  }
}

it.each(['cantonese', 'zh', 'zh-TW', 'EN-us'])('"%s" is a language', (text) => {
  expect([language(text), spokenLanguage(text)]).toEqual([text, text]);
});

it('only what is spoken may be identified', () => {
  expect(spokenLanguage('auto')).toBe('auto');
  expect(() => language('auto')).toThrow(InvalidArgumentError);
});

it.each(['', ' ', 'x', '0', '3', '1.5', 'Infinity', '0x'])('"%s" is no whole number from 1 to 2', (text) => {
  expect(() => numberWithin({ min: 1, max: 2, isWhole: true })(text)).toThrow(InvalidArgumentError);
});

it('numbers include the bounds, unless they must be above the lower one', () => {
  expect([numberWithin({ min: 1, max: 2 })('1'), numberWithin({ min: 1, max: 2 })('2')]).toEqual([1, 2]);
  expect(() => numberWithin({ min: 1, max: 2, aboveMin: true })('1')).toThrow(InvalidArgumentError);
});
