import { expect, test } from 'vitest';
import { englishSyllables } from './english-syllables.ts';

const say = (phones: string) => englishSyllables(phones.split(' ')).join(' ');

test('words are said as Hong Kong speakers say them', () => {
  expect(say('B AH1 S')).toBe('baa1 si4');
  expect(say('OW0 K EY1')).toBe('ou3 kei1');
  expect(say('AH1 P')).toBe('aap1');
  expect(say('M AE1 N')).toBe('men1');
  expect(say('T EH1 K S T')).toBe('tek1 si4');
  expect(say('P R IH1 N T')).toBe('pin1');
});

test('every phone gives syllables that can be looked up', () => {
  const vowels = 'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'.split(' ');
  const consonants = 'B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'.split(' ');
  for (const vowel of vowels)
    for (const consonant of consonants)
      for (const syllable of englishSyllables([consonant, `${vowel}1`, consonant, `${vowel}0`, consonant]))
        expect(syllable).toMatch(/^[a-z]+[1-6]$/);
});
