import { LANGUAGE_CHOICES, type LanguageChoice } from '@jyutsing/contracts/transcript';

/** Language tags in lower case with hyphens; the longest matching prefix wins. */
const BY_TAG: ReadonlyMap<string, LanguageChoice> = new Map([
  ['yue', 'cantonese'],
  ['zh-yue', 'cantonese'],
  ['zh-hk', 'cantonese'],
  ['zh-mo', 'cantonese'],
  ['zh-hant-hk', 'cantonese'],
  ['zh-hant-mo', 'cantonese'],
  ['cmn', 'mandarin'],
  ['zh-cmn', 'mandarin'],
  ['zh-cn', 'mandarin'],
  ['zh-tw', 'mandarin'],
  ['zh-sg', 'mandarin'],
  ['zh-hans', 'mandarin'],
  ['zh-hant-tw', 'mandarin'],
  ['putonghua', 'mandarin'],
  // Client libraries shorten zh-HK to zh, so zh only says that the language is Chinese.
  ['zh', 'chinese'],
  ['zho', 'chinese'],
  ['chi', 'chinese'],
  ['en', 'english'],
  ['eng', 'english'],
]);

/** The longest tag has so many parts, and no more of a text are compared. */
const MOST_PARTS = Math.max(...[...BY_TAG.keys()].map((tag) => tag.split('-').length));

const CODES = '(yue, zh-HK; cmn, zh-CN, zh-TW; en …)';
/** The end of messages that refuse a language, after "must be". */
export const ACCEPTED_LANGUAGES = `cantonese, mandarin or english, or a code of one ${CODES}`;
export const ACCEPTED_CHOICES = `cantonese, mandarin, english, zh (Cantonese or Mandarin, identified from the audio) or auto, or a code ${CODES}`;

/**
 * The language of a BCP 47 tag (which includes ISO 639-1 and -3) or of its English name in any
 * case; null for one that is not supported.
 */
export function readLanguage(text: string): LanguageChoice | null {
  const tag = text.trim().toLowerCase().replaceAll('_', '-');
  const exactChoice = LANGUAGE_CHOICES.find((choice) => choice === tag);
  if (exactChoice !== undefined) return exactChoice;
  for (let parts = tag.split('-', MOST_PARTS); parts.length > 0; parts = parts.slice(0, -1)) {
    const language = BY_TAG.get(parts.join('-'));
    if (language !== undefined) return language;
  }
  return null;
}
