import { expect, test } from 'vitest';
import { PINYIN_SYLLABLES } from '@jyutsing/text/pronunciation/mandarin/pinyin-syllables';
import { cantoneseEnglish } from './cantonese-english.ts';
import { mandarinEnglish } from './mandarin-english.ts';

const VOWELS = 'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'.split(' ');
const CONSONANTS = 'B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'.split(' ');
const EVERY_PHONE = VOWELS.flatMap((vowel) =>
  CONSONANTS.map((consonant) => [consonant, `${vowel}1`, consonant, `${vowel}0`, consonant]),
);

const sayInCantonese = (phones: string) => cantoneseEnglish(phones.split(' ')).join(' ');
const sayInMandarin = (phones: string) => mandarinEnglish(phones.split(' ')).join(' ');

test('words are said as Hong Kong speakers say them', () => {
  expect(sayInCantonese('B AH1 S')).toBe('baa1 si4');
  expect(sayInCantonese('OW0 K EY1')).toBe('ou3 kei1');
  expect(sayInCantonese('AH1 P')).toBe('aap1');
  expect(sayInCantonese('M AE1 N')).toBe('men1');
  expect(sayInCantonese('T EH1 K S T')).toBe('tek1 si4');
  expect(sayInCantonese('P R IH1 N T')).toBe('pin1');
});

test('every phone gives syllables that can be looked up', () => {
  for (const phones of EVERY_PHONE)
    for (const syllable of cantoneseEnglish(phones)) expect(syllable).toMatch(/^[a-z]+[1-6]$/);
});

test('in Mandarin, final stops get a vowel', () => {
  expect(sayInMandarin('OW0 K EY1')).toBe('ou4 kei1');
  expect(sayInMandarin('AE1 P')).toBe('ai1 pu4');
  expect(sayInMandarin('B AA1 S')).toBe('ba1 si4');
});

test('every phone gives syllables of Mandarin', () => {
  for (const phones of EVERY_PHONE)
    for (const syllable of mandarinEnglish(phones)) expect(PINYIN_SYLLABLES).toContain(syllable.slice(0, -1));
});
