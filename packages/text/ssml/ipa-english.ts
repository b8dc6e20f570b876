import type { ReadPhonemes } from './ipa-cantonese.ts';

/**
 * English sounds in the International Phonetic Alphabet and in ARPAbet; vowels have a stress.
 * Longer ones come first.
 */
const VOWELS: readonly (readonly [string, readonly string[]])[] = [
  ['aɪ', ['AY']],
  ['aʊ', ['AW']],
  ['ɔɪ', ['OY']],
  ['eɪ', ['EY']],
  ['ei', ['EY']],
  ['oʊ', ['OW']],
  ['ou', ['OW']],
  ['əʊ', ['OW']],
  // Centring diphthongs of British English.
  ['ɪə', ['IH', 'R']],
  ['eə', ['EH', 'R']],
  ['ɛə', ['EH', 'R']],
  ['ʊə', ['UH', 'R']],
  ['ɝ', ['ER']],
  ['ɜ', ['ER']],
  ['ɚ', ['ER']],
  ['i', ['IY']],
  ['ɪ', ['IH']],
  ['ɛ', ['EH']],
  ['e', ['EH']],
  ['æ', ['AE']],
  ['a', ['AE']],
  ['ɑ', ['AA']],
  ['ɒ', ['AA']],
  ['ɔ', ['AO']],
  ['ʊ', ['UH']],
  ['u', ['UW']],
  ['ʌ', ['AH']],
  ['ə', ['AH']],
  ['o', ['OW']],
];
const CONSONANTS: readonly (readonly [string, string])[] = [
  ['tʃ', 'CH'],
  ['ʧ', 'CH'],
  ['dʒ', 'JH'],
  ['ʤ', 'JH'],
  ['p', 'P'],
  ['b', 'B'],
  ['t', 'T'],
  ['ɾ', 'T'],
  ['d', 'D'],
  ['k', 'K'],
  ['g', 'G'],
  ['ɡ', 'G'],
  ['f', 'F'],
  ['v', 'V'],
  ['θ', 'TH'],
  ['ð', 'DH'],
  ['s', 'S'],
  ['z', 'Z'],
  ['ʃ', 'SH'],
  ['ʒ', 'ZH'],
  ['h', 'HH'],
  ['m', 'M'],
  ['n', 'N'],
  ['ŋ', 'NG'],
  ['l', 'L'],
  ['ɫ', 'L'],
  ['r', 'R'],
  ['ɹ', 'R'],
  ['j', 'Y'],
  ['w', 'W'],
  ['ʍ', 'W'],
];
const TIES = /[\u0361\u035c]/gu;
/** Signs that distinguish no English words: length, breaks, aspiration, diacritics. */
const SILENT = /[\p{Mn}\u02d0\u02d1\u02b0.\s]/u;
const STRESSES: Readonly<Record<string, string>> = { ˈ: '1', "'": '1', ˌ: '2', ',': '2' };
const UNSTRESSED = /^[əɚ]/u;

/** Reads English in the International Phonetic Alphabet as ARPAbet: həˈloʊ is HH AH0 L OW1. */
export function readEnglishIpa(text: string): ReadPhonemes {
  const ipa = text.normalize('NFD').replaceAll(TIES, '');
  const reading: string[] = [];
  let stress: string | null = null;
  for (let at = 0; at < ipa.length;) {
    const sign = String.fromCodePoint(ipa.codePointAt(at) ?? 0);
    const marked = STRESSES[sign];
    if (marked !== undefined || SILENT.test(sign)) {
      stress = marked ?? stress;
      at += sign.length;
      continue;
    }
    const vowel = VOWELS.find(([written]) => ipa.startsWith(written, at));
    const consonant = CONSONANTS.find(([written]) => ipa.startsWith(written, at));
    if (vowel !== undefined) {
      const [written, [first = '', ...rest]] = vowel;
      reading.push(`${first}${UNSTRESSED.test(written) ? '0' : (stress ?? '0')}`, ...rest);
      stress = null;
      at += written.length;
    } else if (consonant === undefined) return { fault: `"${sign}" is no sound of English` };
    else {
      reading.push(consonant[1]);
      at += consonant[0].length;
    }
  }
  return reading.length === 0 ? { fault: 'has no sounds' } : { reading: stressed(reading) };
}

const PHONES = new Set([...VOWELS.flatMap(([, phones]) => phones), ...CONSONANTS.map(([, phone]) => phone)]);
const VOWEL = /^[AEIOU]/;

/** Marks vowels without a stress as unstressed; a word of one syllable has its stress there. */
function stressed(phones: readonly string[]): string[] {
  const isOnlyVowel = phones.filter((phone) => VOWEL.test(phone)).length === 1;
  return phones.map((phone) => {
    if (!VOWEL.test(phone)) return phone;
    return isOnlyVowel ? `${phone.slice(0, 2)}1` : phone.padEnd(3, '0');
  });
}

/** Reads ARPAbet as in the CMU dictionary: HH AH0 L OW1. */
export function readArpabet(text: string): ReadPhonemes {
  const reading = text
    .trim()
    .toUpperCase()
    .split(/[\s.,-]+/u)
    .filter((phone) => phone !== '');
  const stranger = reading.find((phone) => !PHONES.has(phone.replace(/(?<=^[AEIOU].)[0-2]$/, '')));
  if (stranger !== undefined) return { fault: `"${stranger}" is no sound of ARPAbet` };
  return reading.length === 0 ? { fault: 'has no sounds' } : { reading: stressed(reading) };
}
