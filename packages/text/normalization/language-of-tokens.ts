import type { Language } from '@jyutsing/contracts/transcript';
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

/** What is numbered in English even by those who go on in Chinese: level nine, number one. */
const NUMBERED_IN_ENGLISH =
  /^(?:No\.|Nos\.|Vol\.|Level|Band|Top|Part|Chapter|Windows|Version|PlayStation|Grade|Type|Phase|Round|Day|Season|Episode|Ep|Gate|Size|Series|Step|Unit)$/iu;

function isBetweenLatin(items: readonly PlacedItem[], index: number): boolean {
  const item = items[index]?.item;
  if (item?.kind === 'symbol') return isWord(items[index - 1]) && isWord(items[index + 1]);
  if (item?.kind !== 'number' && item?.kind !== 'year') return false;
  const before = items[index - 1]?.item;
  if (before?.kind !== 'latin') return false;
  return items[index + 1]?.item.kind === 'latin' || NUMBERED_IN_ENGLISH.test(before.text);
}

function isWord(placed: PlacedItem | undefined): boolean {
  return placed?.item.kind === 'latin' || placed?.item.kind === 'letters';
}
