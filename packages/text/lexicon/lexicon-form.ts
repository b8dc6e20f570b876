import { plainText } from '#text/normalization/plain-text.ts';

/** White space, accents, and signs within names: 7-Eleven, Café de Coral, McDonald's. */
const UNHEARD = /[\s\p{Mn}'’‘\-‐‑–·・]/gu;

/**
 * A text as words are found in it: in Traditional characters, lower case, without white space,
 * accents, hyphens and apostrophes.
 */
export function lexiconForm(text: string): string {
  return plainText(text, 'cantonese').normalize('NFD').toLowerCase().replaceAll(UNHEARD, '');
}
