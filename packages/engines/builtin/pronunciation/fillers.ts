import type { SyllabicLanguage } from '#engines/builtin/decoder/types.ts';

/** Syllables without a tone that speakers say while they think: 誒, 呃, 嗯, 唔, er, um. */
const FILLERS: Readonly<Record<SyllabicLanguage, ReadonlySet<string>>> = {
  cantonese: new Set(['e', 'aa', 'a', 'o', 'oe', 'm', 'ng', 'hm', 'hng', 'am', 'em', 'um', 'ngaa', 'nge', 'ngo']),
  mandarin: new Set(['e', 'a', 'o', 'en', 'er', 'ei', 'ng']),
};

/** Shortest hesitation in English, in milliseconds, and the vowels and nasals it consists of. */
const ENGLISH_FILLER_MS = 120;
const HESITATING = /^(?:AH|AX|ER|AA|EH|UH|M|N|HH)$/;

/** Returns true for a syllable with a tone digit that speakers say while they think. */
export function isFiller(language: SyllabicLanguage, syllable: string): boolean {
  return FILLERS[language].has(syllable.replace(/\d$/, ''));
}

/** Returns true for inserted English phones that are a hesitation: uh, um, er. */
export function isEnglishFiller(phones: readonly string[], durationMs: number): boolean {
  return durationMs >= ENGLISH_FILLER_MS && phones.every((phone) => HESITATING.test(phone));
}
