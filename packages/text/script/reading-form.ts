import { chooseTraditional } from './choose-traditional.ts';
import { keepPositions } from './keep-positions.ts';

const HAN = /\p{Script=Han}/u;

/**
 * The text in the Traditional characters as which it is read in Cantonese; every UTF-16 unit keeps its
 * position. The first text with Chinese characters loads the list of words.
 */
export function readingForm(text: string): string {
  return HAN.test(text) ? keepPositions(text, chooseTraditional) : text;
}
