import type { Word } from '@jyutsing/contracts/transcript';

/** The words with the capitals that they have in a text. */
export function copyCapitals(text: string, words: readonly Word[]): Word[] {
  const lower = text.toLowerCase();
  let at = 0;
  return words.map((word) => {
    const from = lower.indexOf(word.text.toLowerCase(), at);
    if (from < 0) return word;
    at = from + word.text.length;
    return { ...word, text: text.slice(from, at) };
  });
}
