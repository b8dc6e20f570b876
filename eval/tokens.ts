import { normaliseSyllable } from '@jyutsing/text/jyutping';
import { parsePinyin } from '@jyutsing/text/pinyin';
import { toHongKong, toSimplified } from '@jyutsing/text/script';
import type { Language } from '@jyutsing/contracts/transcript';
import { ARPABET_PHONES } from '#packages/engines/builtin/decoder/arpabet.ts';
import { scoringCharacters } from '../training/language-model/scoring.ts';

/** What texts of a language are compared by. */
export const TEXT_TOKENS: Readonly<Record<Language, 'characters' | 'words'>> = {
  cantonese: 'characters',
  mandarin: 'characters',
  english: 'words',
};

/** The column that holds the units of a language. */
export const UNIT_COLUMNS: Readonly<Record<Language, 'jyutping' | 'pinyin' | 'phones'>> = {
  cantonese: 'jyutping',
  mandarin: 'pinyin',
  english: 'phones',
};

/**
 * A text as tokens for comparison. Chinese: characters without punctuation, in one script (Hong Kong's for Cantonese, Simplified for
 * Mandarin), Cantonese words of several spellings in one of them. English: words in lower case without punctuation, hyphens apart.
 */
export function textTokens(language: Language, text: string): string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  if (language === 'cantonese') return scoringCharacters(toHongKong(folded));
  if (language === 'mandarin') return [...toSimplified(folded)].filter((char) => /[\p{Letter}\p{Number}]/u.test(char));
  return folded
    .replaceAll(/['’]/g, '')
    .split(/[^\p{Letter}\p{Mark}\p{Number}]+/u)
    .filter((word) => word !== '');
}

/**
 * One written unit of a language (jyutping, pinyin, an ARPAbet phone with or without stress) in the spelling that units are compared
 * in, which is that of the acoustic model's labels; null when it is none.
 */
export function parseUnit(language: Language, text: string): string | null {
  if (language === 'cantonese') return normaliseSyllable(text);
  if (language === 'mandarin') {
    const syllable = parsePinyin(text);
    return syllable === null ? null : `${syllable.onset}${syllable.rime}${syllable.tone}`;
  }
  const stressed = text.toUpperCase();
  const phone = stressed === 'AH0' ? 'AX' : stressed.replace(/[012]$/, '');
  return PHONES.has(phone) ? phone : null;
}

const PHONES = new Set(ARPABET_PHONES);

/** The ways in which units of a language are compared: what is counted, and which part of a unit counts. */
export function unitComparisons(language: Language): readonly { what: string; part: (unit: string) => string }[] {
  if (language === 'english') return [{ what: 'phones', part: (unit) => unit }];
  return [
    { what: 'syllables with tone', part: (unit) => unit },
    { what: 'syllables without tone', part: (unit) => unit.replace(/[1-6]$/, '') },
  ];
}
