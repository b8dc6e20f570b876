import { modelPhones } from './dictionary.ts';
import { BATH_WORDS } from './weak-forms.ts';

const VOWEL = /^[AEIOU]/;
const MOST_PRONUNCIATIONS = 10;
/** Vowels after which British English leaves a schwa for the r that it does not say: near, cure. */
const CENTRING = new Set(['IH', 'IY', 'UH', 'UW', 'AY', 'AW']);

/**
 * All pronunciations of a word that count, in the acoustic model's phones: those given (ARPAbet with stress), and each of them as other
 * speakers of English from birth have it (Wells, Accents of English, 1982): weak vowels merged (roses AX or IH), caught as cot, and in
 * British English no r but before a vowel, bath and hot with other vowels, new with a Y. -in' for -ing only where the dictionary has it: to
 * learners it is a mistake. A flapped t is T.
 */
export function acceptedPronunciations(word: string, given: readonly (readonly string[])[]): string[][] {
  const accepted = new Map<string, string[]>();
  const add = (phones: readonly string[]) => {
    const own = modelPhones(phones);
    if (own.length > 0 && accepted.size < MOST_PRONUNCIATIONS) accepted.set(own.join(' '), own);
  };
  given.forEach(add);
  for (const change of [britishOf, weakened, withoutCaught, withYod])
    for (const phones of given) add(change(phones, word));
  for (const phones of given) add(weakened(britishOf(phones, word)));
  return [...accepted.values()];
}

type Change = (phones: readonly string[], word: string) => string[];

/** The weak vowel of started and roses, of which speakers have two. */
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
  const said: string[] = [];
  phones.forEach((phone, index) => {
    const next = phones[index + 1] ?? '';
    const base = phone.replace(/\d$/, '');
    if (phone === 'R' && index > 0 && !VOWEL.test(next)) {
      if (CENTRING.has((phones[index - 1] ?? '').replace(/\d$/, ''))) said.push('AH0');
      return;
    }
    if (phone === 'ER0') said.push('AH0', ...(VOWEL.test(next) ? ['R'] : []));
    else if (base === 'AE' && BATH_WORDS.test(word)) said.push('AA1');
    else if (base === 'AA' && next !== 'R' && (!word.includes('a') || /^(?:wh?a|qua|squa)/.test(word)))
      said.push('AO1');
    else said.push(phone);
  });
  return said;
};
