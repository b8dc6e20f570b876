import type { Language } from '#contracts/transcript.ts';
import type { PlacedItem } from './tokenise.ts';

/**
 * In which language each item of a piece is said. Of a Chinese text, a piece without a Chinese character but with Latin words is English,
 * numbers included, and so is a number between two Latin words (top 10 list); of an English text, a piece in Chinese characters alone is
 * Cantonese.
 */
export function languageOfItems(items: readonly PlacedItem[], language: Language): (index: number) => Language {
  const hasHan = items.some(({ item }) => item.kind === 'han');
  const latinWords = items.filter(({ item }) => item.kind === 'latin' && item.text.length > 1).length;
  if (language === 'english') {
    const all: Language = hasHan && latinWords === 0 ? 'cantonese' : 'english';
    return () => all;
  }
  if (!hasHan && latinWords > 1) return () => 'english';
  return (index) => (isBetweenLatin(items, index) ? 'english' : language);
}

function isBetweenLatin(items: readonly PlacedItem[], index: number): boolean {
  const item = items[index]?.item;
  if (item?.kind === 'symbol') return isWord(items[index - 1]) && isWord(items[index + 1]);
  if (item?.kind !== 'number' && item?.kind !== 'year') return false;
  return items[index - 1]?.item.kind === 'latin' && items[index + 1]?.item.kind === 'latin';
}

function isWord(placed: PlacedItem | undefined): boolean {
  return placed?.item.kind === 'latin' || placed?.item.kind === 'letters';
}
