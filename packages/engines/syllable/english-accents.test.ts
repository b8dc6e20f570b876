import { expect, test } from 'vitest';
import { PINYIN_SYLLABLES } from '@jyutsing/text/pronunciation/mandarin/pinyin-syllables';
import { cantoneseEnglish, LETTER_NAMES } from './cantonese-english.ts';
import { mandarinEnglish } from './mandarin-english.ts';

const VOWELS = 'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'.split(' ');
const CONSONANTS = 'B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'.split(' ');
const EVERY_PHONE = VOWELS.flatMap((vowel) =>
  CONSONANTS.map((consonant) => [consonant, `${vowel}1`, consonant, `${vowel}0`, consonant]),
);

const sayInMandarin = (phones: string) => mandarinEnglish(phones.split(' ')).join(' ');

test('words are said as Hong Kong speakers say them', () => {
  const rows = `
    bus      B AH1 S           baa1 si4
    OK       OW0 K EY1         ou3 kei1
    up       AH1 P             aap1
    man      M AE1 N           men1
    text     T EH1 K S T       tek1 si4
    texts    T EH1 K S T S     tek1 si4
    print    P R IH1 N T       pin1
    test     T EH1 S T         te1 si4
    task     T AE1 S K         te1 sik3
    work     W ER1 K           woek1
    world    W ER1 L D         weot1
    number   N AH1 M B ER0     nam1 baa4
    happy    HH AE1 P IY0      hep1 pi4
    cookie   K UH1 K IY0       kuk1 ki4
    video    V IH1 D IY0 OW2   wi1 di3 ou1
    over     OW1 V ER0         ou1 faa4
    shop     SH AA1 P          sop1
    car      K AA1 R           kaa1
    game     G EY1 M           gem1
    like     L AY1 K           laaik1
    phone    F OW1 N           fung1
    email    IY0 M EY1 L       i3 meu1
    file     F AY1 L           faai1 lou4
    milk     M IH1 L K         miuk1
    table    T EY1 B AH0 L     tei1 bou4
    music    M Y UW1 Z IH0 K   miu1 sik3
    new      N UW1             niu1
    two      T UW1             tu1
    train    T R EY1 N         cen1
    street   S T R IY1 T       si3 cit1
    store    S T AO1 R         si3 do1
    play     P L EY1           plei1
    thank    TH AE1 NG K       feng1
    three    TH R IY1          fi1
    friend   F R EH1 N D       fen1
    girl     G ER1 L           goe1 lou4
    problem  P R AA1 B L AH0 M   pop1 lam4
    check    CH EH K           cek1
    udon     UW D AX N         u1 dan4
    beer     B IH1 R           bi1 aa4
    hmm      HH M              haa1 m1
  `;
  const wrong = rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [word = '', phones = '', expected] = row.trim().split(/\s{2,}/);
      const syllables = cantoneseEnglish(phones.split(' '), word).join(' ');
      return syllables === expected ? [] : [`${word}: ${syllables}, not ${expected}`];
    });
  expect(wrong).toEqual([]);
});

test('the names of the letters are as different as their phones', () => {
  const phones =
    'EY1,B IY1,S IY1,D IY1,IY1,EH1 F,JH IY1,EY1 CH,AY1,JH EY1,K EY1,EH1 L,EH1 M,EH1 N,OW1,P IY1,K Y UW1,AA1 R,EH1 S,T IY1,Y UW1,V IY1,D AH1 B AH0 L Y UW0,EH1 K S,W AY1,Z IY1';
  const names = phones.split(',').map((name, index) => {
    const letter = String.fromCharCode(65 + index);
    return (LETTER_NAMES[letter] ?? cantoneseEnglish(name.split(' '), letter)).join(' ');
  });
  expect(new Set(names).size).toBe(26);
  expect(names.slice(16, 22)).toEqual(['kiu1', 'aa1 lou4', 'e1 si4', 'ti1', 'ju1', 'wi1']);
});

test('every phone gives syllables that can be looked up', () => {
  for (const phones of EVERY_PHONE)
    for (const syllable of cantoneseEnglish(phones)) expect(syllable).toMatch(/^[a-z]+[1-6]$/);
});

test('in Mandarin, final stops get a vowel', () => {
  expect(sayInMandarin('UW D AX N')).toBe('wu1 dan4');
  expect(sayInMandarin('OW0 K EY1')).toBe('ou4 kei1');
  expect(sayInMandarin('AE1 P')).toBe('ai1 pu4');
  expect(sayInMandarin('B AA1 S')).toBe('ba1 si4');
});

test('every phone gives syllables of Mandarin', () => {
  for (const phones of EVERY_PHONE)
    for (const syllable of mandarinEnglish(phones)) expect(PINYIN_SYLLABLES).toContain(syllable.slice(0, -1));
});
