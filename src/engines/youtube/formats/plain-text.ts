import { decodeHTML } from 'entities';

/** Characters that are not seen: zero-width ones, marks of direction, soft hyphens, control characters but line breaks and tabs. */
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u0000-\u0008\u000B-\u001F\u007F]/g;

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
