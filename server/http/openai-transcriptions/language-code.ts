import { LANGUAGE_CHOICES, type Language, type LanguageChoice } from '@jyutsing/contracts/transcript';

/** Tags (lower case, hyphens) that say more than their first part; the longest that fits wins. */
const BY_TAG: ReadonlyMap<string, Language> = new Map([
  ['yue', 'cantonese'],
  ['zh-yue', 'cantonese'],
  ['zh-hk', 'cantonese'],
  ['zh-mo', 'cantonese'],
  ['zh-hant-hk', 'cantonese'],
  ['zh-hant-mo', 'cantonese'],
  ['zh', 'mandarin'],
  ['cmn', 'mandarin'],
  ['chinese', 'mandarin'],
  ['en', 'english'],
  ['eng', 'english'],
]);

/**
 * A language tag (BCP 47, so ISO 639-1 and -3 as well) or our own word as a choice; null for a language that is none of ours.
 * As in Whisper, `zh` alone is Mandarin; with Hong Kong or Macau as region it is Cantonese, which is what is spoken there.
 */
export function languageFromCode(code: string): LanguageChoice | null {
  const tag = code.trim().toLowerCase().replaceAll('_', '-');
  if (tag === '') return 'auto';
  const own = LANGUAGE_CHOICES.find((choice) => choice === tag);
  if (own !== undefined) return own;
  for (let parts = tag.split('-'); parts.length > 0; parts = parts.slice(0, -1)) {
    const language = BY_TAG.get(parts.join('-'));
    if (language !== undefined) return language;
  }
  return null;
}

/** The code under which OpenAI lists a language that was heard. */
export const LANGUAGE_CODES = { cantonese: 'yue', mandarin: 'zh', english: 'en' } as const satisfies Record<
  Language,
  string
>;
