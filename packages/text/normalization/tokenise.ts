import type { Language } from '@jyutsing/contracts/transcript';
import { numeralAt } from './numerals.ts';
import type { Item, ItemKind } from './tokens.ts';
import { recogniseAddress } from './recognise-addresses.ts';
import { recogniseDate } from './recognise-dates.ts';
import { recogniseBrand, recogniseCode, recogniseLatin } from './recognise-latin.ts';
import { recogniseMoney } from './recognise-money.ts';
import {
  asYear,
  recogniseAmount,
  recogniseFraction,
  recogniseOrdinal,
  recogniseScore,
  recogniseVersion,
} from './recognise-numbers.ts';
import { recognisePhone } from './recognise-phones.ts';
import { recogniseRange } from './recognise-ranges.ts';
import { recogniseTime } from './recognise-times.ts';
import { isTouching, matchAt, type Source } from './source.ts';

/** White space and what is as good as none: control characters, joiners, marks of direction, byte order marks. */
const SPACE = /[\s\p{Cc}\p{Cf}]+/uy;
/** Characters, not the radicals that dictionaries sort them by. */
const HAN = /(?:[\p{Script=Han}&&[\p{L}\p{Nl}]][\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*)+/vy;
const MARK = /[，。！？、；：「」『』（）〈〉《》【】…—,.!?;:"'()[\]{}“”‘’‥⋯｡､！？﹐﹑。«»‹›]+/uy;
/** What parts clauses although it is no punctuation: cells of a table, a drawn-out 啦~, a hyphen between spaces. */
const PARTING = /\|+|[~～]+(?!\d)|(?<=\s)[-–](?=\s)/uy;
/** Said in English (to); in Chinese, from here to there. */
const ARROW = /[→←↔➜➡⇒►▶]+/uy;
const SYMBOL = /[+\-×÷=&%‰#/°<>≥≤±≈√*^|\\_~～@©®™→←↑↓№·•$€£¥℃℉]/uy;
const SILENT = /(?:(?![\p{Script=Latin}\p{Script=Han}\d\s\p{P}+=<>|~^$€£¥°½¼¾⅓⅔]).)+|./suy;
const DIGIT_FIRST = /[\d.+-]/;
const MOST_UNITS_OF_ITEM = 400;

/** An item and where in the plain text it begins. */
export type PlacedItem = { item: Item; at: number };

/**
 * What a plain text (see `plainText`) is made of, in order; white space and characters without a sound or a look are left out. Takes
 * time in proportion to the text, whatever it holds.
 */
export function tokenise(text: string, language: Language): PlacedItem[] {
  const items: PlacedItem[] = [];
  let at = 0;
  while (at < text.length) {
    const space = matchAt(SPACE, text, at);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const item = itemFrom({ text, at, language }, items.at(-1));
    items.push({ item, at });
    at += item.text.length;
  }
  return items;
}

function itemFrom(source: Source, before: PlacedItem | undefined): Item {
  const { text, at } = source;
  const han = simple(source, HAN, 'han');
  if (han !== null) return han;
  const first = text.charAt(at);
  const address = recogniseAddress(source);
  if (address !== null) return address;
  // B.1.1.7: the point ends no phrase.
  if (first === '.' && isTouching(source) && /\d/.test(text.charAt(at + 1))) return { text: first, kind: 'symbol' };
  const parting = partingMark(source);
  if (parting !== null) return parting;
  const number = numeric(source, first, before);
  if (number !== null) return number;
  const latin = recogniseLatin(source);
  if (latin !== null) return latin;
  const rest = simple(source, MARK, 'mark') ?? simple(source, SYMBOL, 'symbol') ?? simple(source, SILENT, 'silent');
  // A lone half of a surrogate pair.
  return rest ?? { text: first, kind: 'silent' };
}

/** Between numbers these are signs of a sum or a range. */
function partingMark(source: Source): Item | null {
  const { text, at, language } = source;
  const match = matchAt(PARTING, text, at) ?? (language === 'cantonese' ? matchAt(ARROW, text, at) : null);
  if (match === null) return null;
  const end = at + match[0].length;
  const isBetweenNumbers =
    /[\d)]\s*$/.test(text.slice(Math.max(0, at - 3), at)) && /^\s*[\d(]/.test(text.slice(end, end + 3));
  return isBetweenNumbers && !match[0].startsWith('|') ? null : { text: match[0], kind: 'mark' };
}

function simple(
  { text, at }: Source,
  pattern: RegExp,
  kind: Extract<ItemKind, 'han' | 'mark' | 'symbol' | 'silent'>,
): Item | null {
  const match = matchAt(pattern, text, at);
  return match === null || match[0] === '' ? null : { text: match[0], kind };
}

/** The order decides: what says more of a number is asked before what says less. */
function numeric(source: Source, first: string, before: PlacedItem | undefined): Item | null {
  const money = recogniseMoney(source);
  if (money !== null) return recogniseRange(source, money) ?? money;
  if (/[A-Z]/.test(first)) return recogniseDate(source);
  if (/[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞vV]/u.test(first)) return recogniseFraction(source) ?? recogniseVersion(source);
  if (!DIGIT_FIRST.test(first)) return null;
  if (first !== '+' && !/[\d-]/.test(first) && (isTouching(source) || !/\d/.test(source.text.charAt(source.at + 1))))
    return null;
  if ((first === '+' || first === '-') && !canBeSign(source, before)) return null;
  return longestDigits(source) ?? named(source) ?? counted(source);
}

/** Nothing between a number and + or -: a sum, not a sign. */
function canBeSign(source: Source, before: PlacedItem | undefined): boolean {
  if (!/[\d.$]/.test(source.text.charAt(source.at + 1))) return false;
  if (before === undefined || before.at + before.item.text.length < source.at) {
    return before?.item.kind !== 'number' || !/^\s/.test(source.text.charAt(source.at + 1));
  }
  return before.item.kind === 'han' || before.item.kind === 'mark';
}

/** A number so long that nobody says it as one is cut, so that no item grows without bound. */
function longestDigits({ text, at }: Source): Item | null {
  const found = numeralAt(text, at, { isMoney: false });
  if (found === null || found.length <= MOST_UNITS_OF_ITEM) return null;
  const cut = text.slice(at, at + MOST_UNITS_OF_ITEM);
  const { value } = numeralAt(cut, 0, { isMoney: false }) ?? found;
  return { text: cut, kind: 'number', value };
}

function named(source: Source): Item | null {
  return (
    recogniseBrand(source) ??
    recogniseDate(source) ??
    timeOrRange(source) ??
    recognisePhone(source) ??
    recogniseVersion(source) ??
    recogniseOrdinal(source) ??
    recogniseFraction(source) ??
    recogniseScore(source)
  );
}

function timeOrRange(source: Source): Item | null {
  const time = recogniseTime(source);
  return time === null ? null : (recogniseRange(source, time) ?? time);
}

function counted(source: Source): Item | null {
  const amount = recogniseAmount(source);
  if (amount === null) return null;
  const range = recogniseRange(source, amount);
  if (range !== null) return range;
  // 5G looks like a number with nothing behind it, 5g like a quantity.
  const code = amount.kind === 'number' ? recogniseCode(source) : null;
  return code ?? asYear(source, amount);
}
