import type { Unit } from './tokens.ts';
import { textBefore, type TextCursor } from './text-cursor.ts';

/** Signs of a formula, whose x is a variable: y = 3x, 3x + 1; and sizes of clothes. */
const FORMULA_BEFORE = /(?:[=+\-*/^×÷(]|size|碼)\s*$/iu;
const FORMULA_AFTER = /^\s*[=+\-*/^×÷)²³\d]/u;
/**
 * Words behind a multiple: 10x the price, 5x faster. Before other comparatives and nouns the sign
 * tells how many are ordered: 2x older brothers, 3x return tickets.
 */
const MULTIPLIED =
  /^ (?:(?:the|more|less|as|that|this|his|her|their|its|our|my|your|zoom|speed|leverage|returns|magnification|optical zoom|faster)(?!\p{L})|\p{Ll}+er than(?!\p{L})|(?:better|bigger|cheaper|higher|larger|longer|lower|slower|smaller|stronger)(?=$|[,.!?;)]))/u;
/** Words for what is multiplied: 10x變焦. Elsewhere x is an unknown digit, a variable or a route. */
const MULTIPLIED_IN_CHINESE =
  /^ ?(?:[變变]焦|光[學学][變变]焦|速[度率播]|[槓杠][桿杆]|[積积]分|放大|回[報报]|收益|效率|快[過过啲])/u;
/** Words before a multiple that ends its clause: up 3x, 升咗3x; but 差唔多3x and 就快4x are ages. */
const GROWN_BEFORE =
  /(?:(?:[升翻漲涨增]|放大|賺咗|[賺赚]了|(?<=^|[，。！？；、,\s更變变會会])快|(?<![唔不])多)(?:咗|了|到|至)? ?|(?<!\p{L})(?:up|by|grew|grow|rose|risen|to) )$/u;
const ENDS = /^(?:$|[\s]*[，。！？、；,.!?;)）])/u;

/** Matches the x of a multiple after digits: 10x the price, 10x速度. */
export function multipleAt(source: TextCursor, digits: string): { unit: Unit; length: number } | null {
  const end = source.at + digits.length;
  if (source.text.charAt(end) !== 'x' || /^0|^1$/u.test(digits)) return null;
  const before = textBefore(source);
  const after = source.text.slice(end + 1, end + 20);
  if (FORMULA_BEFORE.test(before) || FORMULA_AFTER.test(after)) return null;
  const isMultiple =
    MULTIPLIED.test(after) || MULTIPLIED_IN_CHINESE.test(after) || (ENDS.test(after) && GROWN_BEFORE.test(before));
  return isMultiple ? { unit: '×', length: 1 } : null;
}
