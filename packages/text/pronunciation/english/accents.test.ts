import { describe, expect, it } from 'vitest';
import { acceptedPronunciations } from './accents.ts';
import { modelPhones } from './dictionary.ts';
import { BATH_WORDS, LISTED_FORMS } from './weak-forms.ts';

const accepted = (word: string, ...pronunciations: string[]) =>
  acceptedPronunciations(
    word,
    pronunciations.map((phones) => phones.split(' ')),
  ).map((phones) => phones.join(' '));

// Vowels by the lexical sets of J. C. Wells, Accents of English, 1982.
describe('accepted pronunciations', () => {
  it('have the given ones first', () => {
    expect(accepted('what', 'W AH1 T', 'HH W AH1 T')).toEqual(['W AH T', 'HH W AH T']);
  });

  it.each([
    ['car', 'K AA1 R', 'K AA'],
    ['start', 'S T AA1 R T', 'S T AA T'],
    ['farther', 'F AA1 R DH ER0', 'F AA DH AX'],
    ['better', 'B EH1 T ER0', 'B EH T AX'],
    ['fire', 'F AY1 R', 'F AY AX'],
    ['near', 'N IH1 R', 'N IH AX'],
    ['cure', 'K Y UH1 R', 'K Y UH AX'],
  ])('of %s include the one without an r', (word, dictionaryPhones, expected) => {
    expect(accepted(word, dictionaryPhones)).toContain(expected);
  });

  it.each([
    ['very', 'V EH1 R IY0'],
    ['red', 'R EH1 D'],
    ['mirror', 'M IH1 R ER0'],
    ['carry', 'K AE1 R IY0'],
  ])('of %s keep the r before a vowel', (word, dictionaryPhones) => {
    const onsets = dictionaryPhones.split(' ').filter((phone) => phone === 'R').length;
    for (const phones of accepted(word, dictionaryPhones)) {
      expect(phones.split(' ').filter((phone) => phone === 'R')).toHaveLength(onsets);
    }
  });

  it.each([
    ['bath', 'B AE1 TH', 'B AA TH'],
    ['dancing', 'D AE1 N S IH0 NG', null],
    ['dances', 'D AE1 N S IH0 Z', 'D AA N S IH Z'],
    ['laughed', 'L AE1 F T', 'L AA F T'],
    // The set TRAP.
    ['cat', 'K AE1 T', null],
    ['gas', 'G AE1 S', null],
    ['man', 'M AE1 N', null],
  ])('of %s have the vowel of father only in words like bath', (word, dictionaryPhones, expected) => {
    const withFather = accepted(word, dictionaryPhones).filter((phones) => phones.includes('AA'));
    expect(withFather.includes(expected ?? '')).toBe(expected !== null);
    expect(withFather.length > 0).toBe(expected !== null);
  });

  it.each([
    ['hot', 'HH AA1 T', 'HH AO T'],
    ['watch', 'W AA1 CH', 'W AO CH'],
    ['quality', 'K W AA1 L AH0 T IY0', 'K W AO L AX T IY'],
    ['squash', 'S K W AA1 SH', 'S K W AO SH'],
    // The sets PALM and START.
    ['father', 'F AA1 DH ER0', null],
    ['spa', 'S P AA1', null],
    ['start', 'S T AA1 R T', null],
  ])('of %s have the vowel of lot only in words like it', (word, dictionaryPhones, expected) => {
    const rounded = accepted(word, dictionaryPhones).filter((phones) => phones.includes('AO'));
    expect(rounded).toEqual(expected === null ? [] : [expected]);
  });

  it('of caught include that of cot', () => {
    expect(accepted('caught', 'K AO1 T')).toEqual(['K AO T', 'K AA T']);
    expect(accepted('north', 'N AO1 R TH')).not.toContain('N AA R TH');
  });

  it.each([
    ['new', 'N UW1', 'N Y UW'],
    ['tune', 'T UW1 N', 'T Y UW N'],
    ['duke', 'D UW1 K', 'D Y UW K'],
    ['moon', 'M UW1 N', null],
    ['soup', 'S UW1 P', null],
    ['do', 'D UW1', null],
    ['blue', 'B L UW1', null],
    ['noodle', 'N UW1 D AH0 L', null],
  ])('of %s have a y where the spelling allows it', (word, dictionaryPhones, expected) => {
    expect(accepted(word, dictionaryPhones).filter((phones) => phones.includes('Y'))).toEqual(
      expected === null ? [] : [expected],
    );
  });

  it('have either weak vowel, but not in -ing', () => {
    expect(accepted('roses', 'R OW1 Z IH0 Z')).toEqual(['R OW Z IH Z', 'R OW Z AX Z']);
    expect(accepted('going', 'G OW1 IH0 NG')).toEqual(['G OW IH NG']);
  });

  it('are ten at most, all different, and none of an empty one', () => {
    const many = Array.from({ length: 30 }, (_, index) => `${'T '.repeat(index)}IH0 R`.trim());
    const found = accepted('x', ...many);
    expect(found).toHaveLength(10);
    expect(new Set(found).size).toBe(10);
    expect(acceptedPronunciations('x', [[]])).toEqual([]);
    expect(acceptedPronunciations('x', [])).toEqual([]);
  });
});

describe('the listed forms', () => {
  /** The vowels and consonants of the CMU dictionary. */
  const VOWEL = /^(?:AA|AE|AH|AO|AW|AY|EH|ER|EY|IH|IY|OW|OY|UH|UW)[012]$/;
  const CONSONANT = /^(?:B|CH|D|DH|F|G|HH|JH|K|L|M|N|NG|P|R|S|SH|T|TH|V|W|Y|Z|ZH)$/;

  it('are ARPAbet with stress, and none twice', () => {
    const wrong = [...LISTED_FORMS].filter(([word, forms]) => {
      const written = forms.map((phones) => phones.join(' '));
      const isKnown = forms.flat().every((phone) => VOWEL.test(phone) || CONSONANT.test(phone));
      return !/^[a-z']+$/.test(word) || new Set(written).size < written.length || !isKnown;
    });
    expect(wrong).toEqual([]);
    const forms = [...LISTED_FORMS.values()].flat();
    expect(forms.map((phones) => modelPhones(phones).length)).toEqual(forms.map(({ length }) => length));
  });

  it.each(['after', 'asked', 'baths', 'photographer', "can't", 'passports'])('%s is like bath', (word) => {
    expect(word).toMatch(BATH_WORDS);
  });

  it.each(['gas', 'cancel', 'plastic', 'ant', 'classic', 'passenger', 'mass'])('%s is not', (word) => {
    expect(word).not.toMatch(BATH_WORDS);
  });
});
