import { LANGUAGE_CHOICES, type Language, type LanguageChoice } from '@jyutsing/contracts/transcript';

/** Language tags in lower case with hyphens; the longest matching prefix wins. */
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
 * The language of a BCP 47 tag (which includes ISO 639-1 and -3) or of its English name; null for a
 * language that is not supported. As in Whisper, `zh` is Mandarin; with Hong Kong or Macau as its
 * region it is Cantonese.
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

/** Language codes of OpenAI's answers. */
export const LANGUAGE_CODES = { cantonese: 'yue', mandarin: 'zh', english: 'en' } as const satisfies Record<
  Language,
  string
>;
