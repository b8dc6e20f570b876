import { expect, test } from 'vitest';
import { JYUTPING_ONSETS, JYUTPING_RIMES, parseSyllable } from '#text/syllables/jyutping.ts';
import { jyutpingToIpa } from '#text/syllables/jyutping-ipa.ts';
import { readCantoneseIpa } from './ipa-cantonese.ts';
import { readArpabet, readEnglishIpa } from './ipa-english.ts';
import { alphabetNamed } from './phonemes.ts';

/** Vowels that are written without their glide are read with it: the IPA of i3 is that of ji3. */
const GLIDES: Readonly<Record<string, RegExp>> = { j: /^(?:i|yu)/, w: /^u/ };

test('every syllable of jyutping is read from its IPA', () => {
  const wrong: string[] = [];
  for (const onset of ['', ...JYUTPING_ONSETS]) {
    for (const rime of JYUTPING_RIMES) {
      for (const tone of [1, 2, 3, 4, 5, 6]) {
        const syllable = `${onset}${rime}${tone}`;
        if (parseSyllable(syllable) === null) continue;
        const read = readCantoneseIpa(jyutpingToIpa(syllable));
        const glide = onset === '' ? (Object.keys(GLIDES).find((sign) => GLIDES[sign]!.test(rime)) ?? '') : '';
        const reading = 'reading' in read ? read.reading.join(' ') : read.fault;
        if (reading !== glide + syllable) wrong.push(`${syllable}: ${reading}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('Cantonese IPA is read as different authors write it', () => {
  const rows: [string, string][] = [
    ['nei̯˩˧.hou̯˧˥', 'nei5 hou2'],
    ['nei13 hou35', 'nei5 hou2'],
    ['nej¹³ how³⁵', 'nei5 hou2'],
    ['nei5 hou2', 'nei5 hou2'],
    ['kʷɔːŋ˧˥tʊŋ˥waː˧˥', 'gwong2 dung1 waa2'],
    ['kwɔŋ35 toŋ55 wa35', 'gwong2 dung1 waa2'],
    ['tʃɵy̯˧˥', 'zeoi2'],
    ['t͡sʰɪŋ˧˥', 'cing2'],
    ['ʧʰɪŋ˧˥', 'cing2'],
    ['jɐt̚˥ jiː˨', 'jat1 ji6'],
    ['m̩˨˩', 'm4'],
    ['ŋ̩˩˧', 'ng5'],
    ['ɕyː˥', 'syu1'],
  ];
  const wrong = rows.flatMap(([ipa, expected]) => {
    const read = readCantoneseIpa(ipa);
    const reading = 'reading' in read ? read.reading.join(' ') : read.fault;
    return reading === expected ? [] : [`${ipa}: ${reading} instead of ${expected}`];
  });
  expect(wrong).toEqual([]);
});

test('English IPA and ARPAbet are read as sounds with stress', () => {
  const rows: [string, string][] = [
    ['həˈloʊ', 'HH AH0 L OW1'],
    ['təˈmɑːtəʊ', 'T AH0 M AA1 T OW0'],
    ['pɪˈkɑːn', 'P IH0 K AA1 N'],
    ['ˌɪntəˈnæʃnəl', 'IH2 N T AH0 N AE1 SH N AH0 L'],
    ['t͡ʃɜːt͡ʃ', 'CH ER1 CH'],
    ['dʒʌdʒ', 'JH AH1 JH'],
    ['ˈwɔːtɚ', 'W AO1 T ER0'],
    ['θɪŋ', 'TH IH1 NG'],
    ['kæt', 'K AE1 T'],
  ];
  const wrong = rows.flatMap(([ipa, expected]) => {
    const read = readEnglishIpa(ipa);
    const reading = 'reading' in read ? read.reading.join(' ') : read.fault;
    return reading === expected ? [] : [`${ipa}: ${reading} instead of ${expected}`];
  });
  expect(wrong).toEqual([]);
  expect(readArpabet('hh ah l ow1')).toEqual({ reading: ['HH', 'AH0', 'L', 'OW1'] });
  expect(readArpabet('K AE T')).toEqual({ reading: ['K', 'AE1', 'T'] });
});

test('alphabets are known by their names and those of vendors', () => {
  for (const name of [
    'jyutping',
    'x-jyutping',
    'X-Amazon-Jyutping',
    'pinyin',
    'x-amazon-pinyin',
    'ipa',
    'IPA',
    'sapi',
  ]) {
    expect([name, alphabetNamed(name) === null]).toEqual([name, false]);
  }
  for (const name of ['ups', '', 'x-', 'ibm']) expect([name, alphabetNamed(name)]).toEqual([name, null]);
});

test('X-SAMPA is read for English', () => {
  const rows: [string, string][] = [
    ['pI"kA:n', 'P IH0 K AA1 N'],
    ['p@"teItoU', 'P AH0 T EY1 T OW0'],
    ['"bA.t@l', 'B AA1 T AH0 L'],
    ['"wO:t@`', 'W AO1 T ER0'],
    ['TIN', 'TH IH1 NG'],
    ['r\\{t', 'R AE1 T'],
  ];
  expect(rows.map(([ph]) => alphabetNamed('x-sampa')?.read(ph, 'english'))).toEqual(
    rows.map(([, reading]) => ({ reading: reading.split(' ') })),
  );
  expect(alphabetNamed('x-sampa')?.read('nei13', 'cantonese')).toEqual({
    fault: 'is in X-SAMPA, which is read for English; put it in <lang xml:lang="en">, or write jyutping',
  });
});
