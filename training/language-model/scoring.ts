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

/** Characters of a text for comparison: variants made one, punctuation and spaces left out. */
export function scoringCharacters(text: string): string[] {
  return [...text].filter((char) => /[\p{Letter}\p{Number}]/u.test(char)).map((char) => SAME_WORD[char] ?? char);
}
