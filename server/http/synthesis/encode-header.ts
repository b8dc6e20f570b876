/** Clients refuse answers whose headers have more than 8 to 16 KiB together. */
const MAX_LENGTH = 1_024;

/**
 * Any value of a JSON body as the value of a header: a text as it is, anything else as JSON, percent-encoded outside of printable ASCII
 * and where a space would be lost at an end. Cut after 1,024 characters.
 */
export function headerSafe(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let safe = '';
  for (const char of text.slice(0, MAX_LENGTH).replaceAll(/[^\x21-\x7e]/gu, encodeUnlessInnerSpace)) {
    if (safe.length >= MAX_LENGTH) break;
    safe += char;
  }
  // Cut within an escape, the rest of it says nothing.
  return safe.length < MAX_LENGTH ? safe : safe.replace(/%[0-9A-F]?$/, '');
}

function encodeUnlessInnerSpace(char: string, offset: number, text: string): string {
  if (char === ' ' && offset > 0 && offset < text.length - 1) return char;
  return [...Buffer.from(char, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
