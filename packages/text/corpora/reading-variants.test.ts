import { describe, expect, it } from 'vitest';
import { isSyllable, pronunciationVariants } from '#text/syllables/jyutping.ts';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import { likelyReadings } from './likely-readings.ts';
import { READING_VARIANTS } from './reading-variants.ts';

const likely = (text: string) => likelyReadings(text).map((readings) => readings.join(' '));

describe('the list of readings', () => {
  const entries = [...READING_VARIANTS];

  it('has one character with several different syllables each', () => {
    const wrong = entries.filter(
      ([char, readings]) =>
        !/^\p{Script=Han}$/u.test(char) ||
        new Set(readings).size < Math.max(2, readings.length) ||
        !readings.every(isSyllable),
    );
    expect(wrong).toEqual([]);
  });

  it('has at least one reading of the dictionary for each', () => {
    const unknown = entries.filter(([char, readings]) => {
      const dictionaryReadings = textToJyutping(char)[0]?.readings ?? [];
      return !readings.some((reading) => dictionaryReadings.includes(reading));
    });
    expect(unknown).toEqual([]);
  });

  it('has no merged sounds, which are compared for all syllables', () => {
    const merged = entries.filter(([, readings]) =>
      readings.some((reading) =>
        pronunciationVariants(reading).some((other) => other !== reading && readings.includes(other)),
      ),
    );
    expect(merged).toEqual([]);
  });
});

describe('the likely readings of a text', () => {
  it.each([
    ['香港', ['hoeng1 gong2']],
    // A name may have either; the word does not decide.
    ['陳曾', ['can4 cang4', 'can4 zang1']],
    // The word decides: 銀行 has no haang4.
    ['銀行', ['ngan4 hong4']],
    ['行', ['hang4', 'haang4', 'hong4']],
  ])('%s', (text, expected) => {
    expect(new Set(likely(text))).toEqual(new Set(expected));
  });

  it('begin with the usual one and differ from it in one syllable', () => {
    for (const text of ['單車', '會長', '青山灣', '重慶', '文長']) {
      const [usual, ...variants] = likelyReadings(text);
      expect(usual).toEqual(textToJyutping(text).map(({ jyutping }) => jyutping));
      for (const other of variants) {
        expect(other.filter((syllable, index) => syllable !== usual![index])).toHaveLength(1);
      }
    }
  });

  it('are four at most, and one where the text is long enough to decide', () => {
    expect(likelyReadings('行長中會').length).toBe(4);
    expect(likelyReadings('我行去中環睇樓')).toHaveLength(1);
  });

  it('leave out what is no Chinese character', () => {
    expect(likely('A仔 2')).toEqual(likely('仔'));
  });

  it.each(['', 'abc', '123', '，。', '𠔻𪚥'])('are none without a known character: %j', (text) => {
    expect(likelyReadings(text)).toEqual([]);
  });
});
