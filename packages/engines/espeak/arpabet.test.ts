import { describe, expect, it } from 'vitest';
import { arpabetToMnemonics } from './arpabet.ts';

const convert = (phones: string) => arpabetToMnemonics(phones.split(' '));

describe('phones of ARPAbet for espeak-ng', () => {
  it.each([
    ['R EH1 D', "[[r|'E|d]]"],
    ['L IH1 V Z', "[[l|'I|v|z]]"],
    ['R EH2 K ER0 D', '[[r|,E|k|3|d]]'],
    ['AH0', '[[@]]'],
    ['AH1', "[['V]]"],
    ['ER0', '[[3]]'],
    ['ER1', "[['3:]]"],
    ['IY0', '[[i]]'],
    ['IY1', "[['i:]]"],
    ['r eh1 d', "[[r|'E|d]]"],
    ['CH EY1 N JH', "[[tS|'eI|n|dZ]]"],
  ])('%s is %s', (phones, expected) => {
    expect(convert(phones)).toBe(expected);
  });

  it.each([
    // Before a consonant and at the end, the vowel and the r are one phone.
    ['K AA1 R', "[[k|'A@]]"],
    ['P AA1 R T', "[[p|'A@|t]]"],
    ['F AO1 R', "[[f|'O@]]"],
    ['W EH1 R', "[[w|'e@]]"],
    // Before a vowel, the r begins that vowel's syllable.
    ['V EH1 R IY0', "[[v|'E|r|i]]"],
    ['AO1 R AH0 N JH', "[['O:|r|@|n|dZ]]"],
    // This vowel does not combine with an r.
    ['AY1 R', "[['aI|r]]"],
  ])('%s is %s', (phones, expected) => {
    expect(convert(phones)).toBe(expected);
  });

  it.each(['', 'R EH1 XX', 'EH3', "[['E]]", 'r|E', 'constructor', '__proto__', 'R  D'])('%j is none', (phones) => {
    expect(convert(phones)).toBeNull();
  });

  it('has all phones of the CMU dictionary', () => {
    const all =
      'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(' ');
    expect(all.filter((phone) => convert(`${phone}${/^[AEIOU]/.test(phone) ? '1' : ''}`) === null)).toEqual([]);
  });

  it('without any is none', () => {
    expect(arpabetToMnemonics([])).toBeNull();
  });
});
