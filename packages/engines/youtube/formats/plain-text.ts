import { decodeHTML } from 'entities';

/** Characters that are not seen: marks of direction, soft hyphens, control characters; what joins letters and emoji stays. */
const INVISIBLE = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}]/gu;

/** Text as it is read: entities decoded, also where they were encoded twice, white space of each line tidied, empty lines gone. */
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
