import { editDistance } from '@jyutsing/numeric/edit-distance';

/**
 * How many letters and digits of a text are not, or wrongly, in what was heard of it, and what was
 * added. Marks, spaces and case do not count: recognizers set them as they like.
 */
export function misheardLetters(text: string, heardText: string): number {
  return editDistance(lettersOf(text), lettersOf(heardText));
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
