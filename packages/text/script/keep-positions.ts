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

/** A filler after a letter or a digit; after a Chinese character it is a variation selector. */
const FILLER_OF_WORD = new RegExp(String.raw`(?<=[[\p{L}\p{N}]--\p{Script=Han}])${FILLER}`, 'gv');

/**
 * A text without the fillers of its letters and digits, so that patterns of words and numbers match
 * it. `filledAt` is the position in the filled text of each of its UTF-16 units, and of its end.
 */
export function withoutFillers(filled: string): { text: string; filledAt(position: number): number } {
  // To look for the character costs a tenth of the pattern, and hardly any text has one.
  if (!filled.includes(FILLER)) return { text: filled, filledAt: samePosition };
  const text = filled.replace(FILLER_OF_WORD, '');
  const positions: number[] = [];
  let end = 0;
  for (const part of filled.split(FILLER_OF_WORD)) {
    for (let index = 0; index < part.length; index += 1) positions.push(end + index);
    end += part.length + FILLER.length;
  }
  return { text, filledAt: (position) => positions[position] ?? filled.length };
}

const samePosition = (position: number) => position;

/**
 * Whether a position is between the two units of a character; a cut there would destroy it. In
 * place of the second unit there may be a filler.
 */
export function isWithinCharacter(text: string, position: number): boolean {
  return text.charAt(position) === FILLER || /[\uD800-\uDBFF]/.test(text.charAt(position - 1));
}

function fitted(converted: string, written: string): string {
  if (converted.length === written.length) return converted;
  if (converted.length > written.length) return written;
  return converted.padEnd(written.length, FILLER);
}
