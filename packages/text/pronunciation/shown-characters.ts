import { isChinese } from '#text/script/fold-characters.ts';

const VARIATION_SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

/**
 * One character to show for each spoken character of a word: as it was written, or as it is spoken
 * where that is something else, such as a number.
 */
export function shownCharacters({ written, spokenForm }: { written: string; spokenForm: string }): string[] {
  const characters = Array.from(written.replaceAll(VARIATION_SELECTORS, ''));
  const spoken = Array.from(spokenForm);
  return characters.length === spoken.length && isChinese(written) ? characters : spoken;
}
