import { modelPhones } from './dictionary.ts';
import { BATH_WORDS } from './weak-forms.ts';

const VOWEL = /^[AEIOU]/;
const MAX_PRONUNCIATIONS = 10;
/** Vowels after which British English has a schwa instead of r: near, cure. */
const CENTRING = new Set(['IH', 'IY', 'UH', 'UW', 'AY', 'AW']);

/**
 * All accepted pronunciations of a word in the phones of the acoustic model: those of the
 * dictionary (ARPAbet with stress) and their variants in native accents of English (Wells, Accents
 * of English, 1982). The variants are merged weak vowels (roses with AX or IH), caught like cot,
 * and in British English r only before vowels, other vowels in bath and hot, and new with a Y. -in'
 * for -ing is accepted only if the dictionary has it, since it is a mistake of learners. A flapped
 * t is T.
 */
export function acceptedPronunciations(word: string, pronunciations: readonly (readonly string[])[]): string[][] {
  const accepted = new Map<string, string[]>();
  const add = (phones: readonly string[]) => {
    const mapped = modelPhones(phones);
    if (mapped.length > 0 && accepted.size < MAX_PRONUNCIATIONS) accepted.set(mapped.join(' '), mapped);
  };
  pronunciations.forEach(add);
  for (const change of [britishOf, weakened, withoutCaught, withYod])
    for (const phones of pronunciations) add(change(phones, word));
  for (const phones of pronunciations) add(weakened(britishOf(phones, word)));
  return [...accepted.values()];
}

type Change = (phones: readonly string[], word: string) => string[];

/** The weak vowel of started and roses, which has two variants. */
const weakened: (phones: readonly string[]) => string[] = (phones) =>
  phones.map((phone, index) => (phone === 'IH0' && phones[index + 1] !== 'NG' ? 'AH0' : phone));

const withoutCaught: Change = (phones) =>
  phones.map((phone, index) => (/^AO[12]$/.test(phone) && phones[index + 1] !== 'R' ? 'AA1' : phone));

const withYod: Change = (phones, word) =>
  /u|ew/.test(word) && !/oo|ou/.test(word)
    ? phones.flatMap((phone, index) =>
        /^UW[12]$/.test(phone) && /^[TDN]$/.test(phones[index - 1] ?? '') ? ['Y', phone] : [phone],
      )
    : [...phones];

const britishOf: Change = (phones, word) => {
  const phonesOut: string[] = [];
  phones.forEach((phone, index) => {
    const next = phones[index + 1] ?? '';
    const base = phone.replace(/\d$/, '');
    if (phone === 'R' && index > 0 && !VOWEL.test(next)) {
      if (CENTRING.has((phones[index - 1] ?? '').replace(/\d$/, ''))) phonesOut.push('AH0');
      return;
    }
    if (phone === 'ER0') phonesOut.push('AH0', ...(VOWEL.test(next) ? ['R'] : []));
    else if (base === 'AE' && BATH_WORDS.test(word)) phonesOut.push('AA1');
    else if (base === 'AA' && next !== 'R' && (!word.includes('a') || /^(?:wh?a|qua|squa)/.test(word)))
      phonesOut.push('AO1');
    else phonesOut.push(phone);
  });
  return phonesOut;
};
