import type { Language } from '@jyutsing/contracts/transcript';

/** Language codes of OpenAI's answers. */
export const LANGUAGE_CODES = { cantonese: 'yue', mandarin: 'zh', english: 'en' } as const satisfies Record<
  Language,
  string
>;
