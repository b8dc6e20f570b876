/**
 * Fills the second UTF-16 unit of a character that a shorter one replaces. It is invisible, and
 * belongs to the character before it.
 */
export const FILLER = '\uFE00';

/**
 * Converts a text character by character (code points) so that every UTF-16 unit keeps its
 * position: a shorter character is filled up, and in place of a longer one stays what was written.
 */
export function keepPositions(text: string, convert: (characters: readonly string[]) => readonly string[]): string {
  const characters = Array.from(text);
  const converted = convert(characters);
  return characters.map((character, index) => fitted(converted[index] ?? character, character)).join('');
}

function fitted(converted: string, written: string): string {
  if (converted.length > written.length) return written;
  return converted.padEnd(written.length, FILLER);
}
