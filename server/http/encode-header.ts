/** Clients refuse answers with more than 8 to 16 KiB of headers. */
const MAX_LENGTH = 1_024;

/**
 * Encodes a JSON value as a header value: a text as it is, anything else as JSON. Characters
 * outside of printable ASCII, and spaces at the ends, are percent-encoded. Longer than 1,024 bytes,
 * it is cut between two characters, because a part of one cannot be decoded.
 */
export function encodeHeader(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const characters = Array.from(text.slice(0, MAX_LENGTH));
  let safe = '';
  for (const [index, character] of characters.entries()) {
    const isInnerSpace = character === ' ' && index > 0 && index < characters.length - 1;
    const encoded = isInnerSpace || /[\x21-\x7e]/.test(character) ? character : percentEncode(character);
    if (safe.length + encoded.length > MAX_LENGTH) break;
    safe += encoded;
  }
  return safe;
}

function percentEncode(character: string): string {
  const bytes = [...Buffer.from(character, 'utf8')];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
