import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';

/** Tags under which Home Assistant finds a language; the first is the one that is sent. */
const TAGS: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  cantonese: ['yue', 'zh-HK'],
  mandarin: ['cmn', 'zh-CN', 'zh-TW'],
  english: ['en'],
};

export function tagsOf(languages: readonly Language[]): string[] {
  return LANGUAGES.filter((language) => languages.includes(language)).flatMap((language) => TAGS[language]);
}

export function tagOf(language: Language): string {
  return TAGS[language][0];
}
