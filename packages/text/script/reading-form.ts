import { chooseTraditional } from './choose-traditional.ts';
import { foldCharacters } from './fold-characters.ts';
import { keepPositions } from './keep-positions.ts';

const HAN = /\p{Script=Han}/u;

/**
 * The text as it is read in Cantonese: with the characters that people see (see `foldCharacters`),
 * and the Traditional ones that Simplified ones stand for. Every UTF-16 unit keeps its position.
 * The first text with Chinese characters loads the list of words.
 */
export function readingForm(text: string): string {
  const folded = foldCharacters(text);
  return HAN.test(folded) ? keepPositions(folded, chooseTraditional) : folded;
}
