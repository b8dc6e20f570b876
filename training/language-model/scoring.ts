import type { ModelLanguage } from './corpora.ts';

/**
 * Characters that write the same word with the same sound, mainly sentence particles without a
 * standard spelling, so that either counts as right. Only for scoring; the decoder writes the
 * variant that its model prefers.
 */
const SAME_WORD: Readonly<Record<string, string>> = {
  呀: '啊',
  吖: '啊',
  阿: '啊',
  唉: '哎',
  誒: '欸',
  嚹: '喇',
  囖: '囉',
  架: '㗎',
  咖: '㗎',
  嗎: '嘛',
  咧: '呢',
  俾: '畀',
  周: '週',
  嘴: '咀',
  局: '侷',
  爲: '為',
  裡: '裏',
  著: '着',
};

/** Mandarin pronouns and particles that differ only in writing. */
const SAME_SOUND_MANDARIN: Readonly<Record<string, string>> = { 她: '他', 它: '他', 地: '的', 得: '的' };

/** Characters of a text for comparison: variants unified, without punctuation and spaces. */
export function scoringCharacters(text: string): string[] {
  return [...text].filter((char) => /[\p{Letter}\p{Number}]/u.test(char)).map((char) => SAME_WORD[char] ?? char);
}

/** Tokens of comparison: Chinese characters or English words, with homophone spellings unified. */
export function scoringTokens(language: ModelLanguage, pieces: readonly string[]): string[] {
  if (language === 'eng') return pieces.map((word) => word.toLowerCase());
  if (language === 'yue') return scoringCharacters(pieces.join(''));
  return [...pieces.join('')].map((char) => SAME_SOUND_MANDARIN[char] ?? char);
}
