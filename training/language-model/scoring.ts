import type { ModelLanguage } from './corpora.ts';

/**
 * Characters that write the same word with the same sound, so that choosing one or the other is no recognition error:
 * sentence particles above all, whose spelling no two writers share. Only for scoring; the decoder writes what its
 * model prefers.
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

/** Mandarin pronouns and particles that only writing tells apart. */
const SAME_SOUND_MANDARIN: Readonly<Record<string, string>> = { 她: '他', 它: '他', 地: '的', 得: '的' };

/** Characters of a text for comparison: variants made one, punctuation and spaces left out. */
export function scoringCharacters(text: string): string[] {
  return [...text].filter((char) => /[\p{Letter}\p{Number}]/u.test(char)).map((char) => SAME_WORD[char] ?? char);
}

/** What is counted in a language: characters of Chinese and words of English, spellings that sound alike made one. */
export function scoringTokens(language: ModelLanguage, pieces: readonly string[]): string[] {
  if (language === 'eng') return pieces.map((word) => word.toLowerCase());
  if (language === 'yue') return scoringCharacters(pieces.join(''));
  return [...pieces.join('')].map((char) => SAME_SOUND_MANDARIN[char] ?? char);
}
