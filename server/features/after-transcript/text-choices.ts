/** The languages of translations, and of texts about a transcript. */
export const TRANSLATION_CHOICES = ['written_chinese', 'english', 'mandarin', 'japanese', 'korean'] as const;
export type TranslationLanguage = (typeof TRANSLATION_CHOICES)[number];
export const TEXT_LANGUAGES = ['cantonese', ...TRANSLATION_CHOICES] as const;
export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** The texts that are written about a transcript. */
export const ABOUT_KINDS = ['summary', 'minutes', 'chapters'] as const;
export type AboutKind = (typeof ABOUT_KINDS)[number];

export const STATEMENT_ROLES = ['point', 'decision', 'action', 'chapter'] as const;
export type StatementRole = (typeof STATEMENT_ROLES)[number];
