import { normalizeSyllable } from '@jyutsing/text/syllables/jyutping';
import { parsePinyin } from '@jyutsing/text/syllables/pinyin';
import { toHongKong, toSimplified } from '@jyutsing/text/script/convert-script';
import type { Language } from '@jyutsing/contracts/transcript';
import { ARPABET_PHONES } from '#packages/engines/builtin/decoder/arpabet.ts';
import { scoringCharacters } from '../training/language-model/scoring.ts';

/** Unit of comparison for texts of a language. */
export const TEXT_TOKENS: Readonly<Record<Language, 'characters' | 'words'>> = {
  cantonese: 'characters',
  mandarin: 'characters',
  english: 'words',
};

/** Column with the units of a language. */
export const UNIT_COLUMNS: Readonly<Record<Language, 'jyutping' | 'pinyin' | 'phones'>> = {
  cantonese: 'jyutping',
  mandarin: 'pinyin',
  english: 'phones',
};

/**
 * Splits a text into tokens for comparison. Chinese: characters without punctuation in one script
 * (Hong Kong for Cantonese, Simplified for Mandarin) and one spelling. English: lower-case words
 * without punctuation, split at hyphens.
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
 * Normalizes one unit (jyutping, pinyin, ARPAbet phone with or without stress) to the spelling of
 * the acoustic model's labels; null if invalid.
 */
export function parseUnit(language: Language, text: string): string | null {
  if (language === 'cantonese') return normalizeSyllable(text);
  if (language === 'mandarin') {
    const syllable = parsePinyin(text);
    return syllable === null ? null : `${syllable.onset}${syllable.rime}${syllable.tone}`;
  }
  const stressed = text.toUpperCase();
  const phone = stressed === 'AH0' ? 'AX' : stressed.replace(/[012]$/, '');
  return PHONES.has(phone) ? phone : null;
}

const PHONES = new Set(ARPABET_PHONES);

/** Comparisons for the units of a language: the label, and the part of a unit that counts. */
export function unitComparisons(language: Language): readonly { what: string; part: (unit: string) => string }[] {
  if (language === 'english') return [{ what: 'phones', part: (unit) => unit }];
  return [
    { what: 'syllables with tone', part: (unit) => unit },
    { what: 'syllables without tone', part: (unit) => unit.replace(/[1-6]$/, '') },
  ];
}
