/** Clients refuse answers with more than 8 to 16 KiB of headers. */
const MAX_LENGTH = 1_024;

/**
 * Encodes a JSON value as a header value: a text as it is, anything else as JSON. Characters
 * outside of printable ASCII, and spaces at the ends, are percent-encoded. Cut after 1,024
 * characters.
 */
export function encodeHeader(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let safe = '';
  for (const char of text.slice(0, MAX_LENGTH).replaceAll(/[^\x21-\x7e]/gu, encodeUnlessInnerSpace)) {
    if (safe.length >= MAX_LENGTH) break;
    safe += char;
  }
  // Remove an escape that was cut in two.
  return safe.length < MAX_LENGTH ? safe : safe.replace(/%[0-9A-F]?$/, '');
}

function encodeUnlessInnerSpace(char: string, offset: number, text: string): string {
  if (char === ' ' && offset > 0 && offset < text.length - 1) return char;
  return [...Buffer.from(char, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
