import { decodeHTML } from 'entities';

/**
 * Matches direction marks, soft hyphens and control characters, but not the joiners of letters and
 * emoji.
 */
const INVISIBLE = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}]/gu;

/** Decodes entities, also doubly encoded ones, collapses white space and removes empty lines. */
export function plainText(encoded: string): string {
  return decodeHTML(decodeHTML(encoded))
    .toWellFormed()
    .replaceAll('\r', '\n')
    .replace(INVISIBLE, '')
    .split('\n')
    .map((line) => line.replace(/[\s\u00A0\u3000]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
