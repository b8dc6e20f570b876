import type { Unit } from './tokens.ts';
import { textBefore, type TextCursor } from './text-cursor.ts';

/** Signs of a formula, whose x is a variable: y = 3x, 3x + 1; and sizes of clothes. */
const FORMULA_BEFORE = /(?:[=+\-*/^×÷(]|size|碼)\s*$/iu;
const FORMULA_AFTER = /^\s*[=+\-*/^×÷)²³\d]/u;
const MANY = 10;

/** Words behind a multiple: 10x the price, 5x faster. */
const MULTIPLIED =
  /^ (?:the|more|less|as|that|this|his|her|their|its|our|my|your|zoom|speed|leverage|returns?|magnification|optical|\p{Ll}+er)(?!\p{L})/u;
/**
 * A noun or a verb directly behind the sign: 10x變焦. That of 3x的係數 is a variable, and that of 3x歲
 * an unknown digit.
 */
const MULTIPLIED_IN_CHINESE =
  /^(?![的嘅係是之項项同和與与等加減减乘除歲岁年月日人個个蚊元塊块度號号次分萬万呎磅斤])\p{Script=Han}/u;
/** Words before a multiple that ends its clause: up 3x, 快3x. */
const GROWN_BEFORE =
  /(?:\p{Script=Han} ?|(?<!\p{L})(?:up|by|grew|grow|rose|risen|to|about|over|than|almost|nearly) )$/u;
const ENDS = /^(?:$|[\s]*[，。！？、；,.!?;)）])/u;

/** Matches the x of a multiple after digits: 10x the price, 10x速度. */
export function multipleAt(source: TextCursor, digits: string): { unit: Unit; length: number } | null {
  const end = source.at + digits.length;
  if (source.text.charAt(end) !== 'x' || /^0|^1$/u.test(digits)) return null;
  const before = textBefore(source);
  const after = source.text.slice(end + 1, end + 20);
  if (FORMULA_BEFORE.test(before) || FORMULA_AFTER.test(after)) return null;
  const isMultiple =
    MULTIPLIED.test(after) ||
    MULTIPLIED_IN_CHINESE.test(after) ||
    (ENDS.test(after) && (Number(digits) >= MANY || GROWN_BEFORE.test(before)));
  return isMultiple ? { unit: '×', length: 1 } : null;
}
