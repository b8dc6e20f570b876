import { spelledLetters } from '#text/normalization/acronyms.ts';
import type { VerbalizedWord } from '#text/normalization/tokens.ts';
import { digitByDigit, integerInWords, yearInWords } from './english-numbers.ts';

const spell = (letters: string) => [...letters.toUpperCase()].join(' ');
const spoken = (spokenForm: string, written: string): VerbalizedWord => ({ written, language: 'english', spokenForm });

const ADDRESS_SIGNS: Readonly<Record<string, string>> = {
  '.': 'dot',
  '@': 'at',
  '/': 'slash',
  _: 'underscore',
  '-': 'dash',
  '+': 'plus',
  '~': 'tilde',
};

/** Reads an address: john at gmail dot com, without the protocol and the query. */
export function verbalizeAddress(text: string): VerbalizedWord[] {
  const bare = text
    .replace(/^https?:\/\//iu, '')
    .replace(/[?#].*$/su, '')
    .replace(/\/$/, '');
  const parts = bare.match(/[A-Za-z]+|\d+|[.@/_+~-]/g) ?? [];
  return parts.map((part) => {
    if (/^\d/.test(part)) return spoken(numberOfName(part), part);
    const isSpelt = /^(?:www|hk|cn|tw|uk|us|jp|sg|eu|mo|io|ai|tv|edu|[^aeiouy]{1,4}|[a-z])$/i.test(part);
    const sign = Object.hasOwn(ADDRESS_SIGNS, part) ? ADDRESS_SIGNS[part] : undefined;
    return spoken(sign ?? (isSpelt ? spell(part) : /^[A-Z]{2,}$/.test(part) ? partInCapitals(part) : part), part);
  });
}

/** A part of an address that is written in capitals: ABC.COM, TAOBAO.COM. */
function partInCapitals(part: string): string {
  const isWord = /^(?:COM|ORG|NET|GOV)$/.test(part) || spelledLetters(part, false) === null;
  return isWord ? part.toLowerCase() : spell(part);
}

/** A year in the name of a file is read as one: report-2024. Other long numbers are names. */
function numberOfName(digits: string): string {
  if (/^(?:19|20)\d\d$/u.test(digits)) return yearInWords(digits);
  return digits.length > 2 ? digitByDigit(digits) : integerInWords(digits);
}
