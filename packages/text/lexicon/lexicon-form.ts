import { plainText } from '#text/normalization/plain-text.ts';

/** A text as words are found in it: in Traditional characters, lower case, without white space. */
export function lexiconForm(text: string): string {
  return plainText(text, 'cantonese').toLowerCase().replaceAll(/\s/gu, '');
}
