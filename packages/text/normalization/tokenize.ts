import type { Language } from '@jyutsing/contracts/transcript';
import { privateCharacters } from '#text/script/fold-characters.ts';
import { withoutFillers } from '#text/script/keep-positions.ts';
import { circledNumber, numeralAt } from './numerals.ts';
import { plainText } from './plain-text.ts';
import { plainNumeral, type PlacedToken, type Token, type TokenizedPiece, type TokenKind } from './tokens.ts';
import { isBetweenTerms } from './formulas.ts';
import { matchAddress } from './match-addresses.ts';
import { matchApproximation } from './match-approximations.ts';
import { canBeMonth, matchDate, matchNamedDay } from './match-dates.ts';
import { matchBrand, matchCode, matchLatin, matchListedName, matchWord } from './match-latin.ts';
import { matchMoney } from './match-money.ts';
import {
  asYear,
  matchNumberOrQuantity,
  matchFraction,
  matchOrdinal,
  matchPower,
  matchRatio,
  matchScore,
  matchToldRatio,
  matchVariablePower,
  matchVersion,
} from './match-numbers.ts';
import { matchPhone } from './match-phones.ts';
import { matchPointOfAngle, matchRate } from './match-rates.ts';
import { matchNeighbors, matchRange, matchShortYears, matchSpanOfYears } from './match-ranges.ts';
import { withoutFullStop } from './sentence-ends.ts';
import { SIGN_OF_MATHEMATICS } from './signs-of-mathematics.ts';
import { matchSpanSign } from './match-span-signs.ts';
import { matchSquared, SQUARED_WORDS } from './match-squared.ts';
import { matchTime, matchTimeOfStamp } from './match-times.ts';
import { isTouching, matchAt, textBefore, type TextCursor } from './text-cursor.ts';

/**
 * White space and invisible characters: control characters, joiners, marks of direction, byte order
 * marks.
 */
const SPACE = /[\s\p{Cc}\p{Cf}]+/uy;
/**
 * Chinese characters with their variation selectors, without the radicals of dictionary indexes,
 * which are folded; with the private ones that stand for others, and several in one square.
 */
const HAN = new RegExp(
  `(?:[[\\p{Script=Han}&&[\\p{L}\\p{Nl}]]${SQUARED_WORDS}${[...privateCharacters().keys()].join('')}][\\u{FE00}-\\u{FE0F}\\u{E0100}-\\u{E01EF}]*)+`,
  'vy',
);
const MARK = /[，。！？、；：「」『』（）〈〉《》【】…—,.!?;:"'()[\]{}“”‘’‥⋯｡､！？﹐﹑。«»‹›]+/uy;
/**
 * Separators of clauses that are no punctuation: cells of a table, a drawn-out 啦~, a hyphen between
 * spaces.
 */
const PARTING = /\|+|(?<=[^\s（(，,])[~～]+(?!\d)|[~～]+(?!(?:[A-Z]{0,3}\p{Sc})?\d)|(?<=\s)[-–](?=\s)/uy;
/** Arrows, which are spoken as "to" in English and are a pause in Chinese. */
const ARROW = /[→←↔➜➡⇒►▶]+/uy;
const SYMBOL = new RegExp(
  String.raw`[\p{Script=Greek}\u00B5\u2126の+\-×÷=&%‰#/°<>≥≤±≈√*^|\\_~～@©®™→←↑↓№§♭♯·•\p{Sc}℃℉]|${SIGN_OF_MATHEMATICS}|(?<=\d|[(（][^()（）]{0,9}[+-][^()（）]{1,9}[)）]|(?<!\p{Script=Latin})(?:\p{Script=Latin}{1,2}|sin|cos|tan|cot|sec|log))[²³](?![⁺⁻])`,
  'uy',
);
const SILENT =
  /(?:(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Han}\p{Co}\d\s\p{P}\p{Sc}\p{No}\p{Sm}\u3250-\u33FF^°]).)+|./suy;
/** A fraction below zero, whose sign is spoken by itself. */
const NEGATIVE_FRACTION = /-\d{1,4}\/\d{1,4}(?![\d/])/y;
const DIGIT_FIRST = /[\d.+-]/;
/**
 * A word that begins no address, amount or abbreviation, for those have other letters and signs: it
 * can only be a word, or the name of a month or a day.
 */
const PLAIN_WORD = /[A-Za-z][a-z]{1,40}(?=[\s,;!?]|$)/y;
const MAX_TOKEN_LENGTH = 400;
/** How far the text after an abbreviation tells whether a sentence begins, in UTF-16 units. */
const NEXT_WORD = 8;
/** How far the text around a sign tells whether it is one of a formula, in UTF-16 units. */
const FORMULA = 40;

/**
 * Tokenizes a plain text (see `plainText`), without white space and invisible characters. Takes
 * time in proportion to the text, whatever it holds.
 */
export function tokenize(text: string, language: Language): PlacedToken[] {
  return [...tokensOf(text, language)];
}

/** Yields the tokens of `tokenize` one by one, so that other work can be done between them. */
export function* tokensOf(plain: string, language: Language): Generator<PlacedToken, void> {
  const { text, filledAt } = withoutFillers(plain);
  if (text === plain) return yield* tokensWithoutFillers(text, language);
  for (const placed of tokensWithoutFillers(text, language)) {
    const at = filledAt(placed.at);
    const written = plain.slice(at, filledAt(placed.at + placed.token.text.length));
    yield { token: { ...placed.token, text: written }, at };
  }
}

function* tokensWithoutFillers(text: string, language: Language): Generator<PlacedToken, void> {
  let at = 0;
  let before: PlacedToken | undefined;
  while (at < text.length) {
    const space = matchAt(SPACE, text, at);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const found = tokenFrom({ text, at, language }, before);
    const end = at + found.text.length;
    const token = language === 'english' ? withoutFullStop(found, text.slice(end, end + NEXT_WORD)) : found;
    before = { token, at };
    yield before;
    at += token.text.length;
  }
}

/** Tokenizes a text as a single piece, however long it is. */
export function tokenizePiece(text: string, language: Language, endsSentence = true): TokenizedPiece {
  const plain = plainText(text, language);
  return { text, plain, tokens: tokenize(plain, language), endsSentence };
}

/**
 * Distributes tokens to the parts of a text that end at `ends` (the last one at its end), with
 * positions in each part.
 */
export function cutTokens(
  tokens: readonly PlacedToken[],
  ends: readonly number[],
  language: Language,
): PlacedToken[][] {
  let next = 0;
  let start = 0;
  return ends.map((end) => {
    const part: PlacedToken[] = [];
    for (let placed = tokens[next]; placed !== undefined && placed.at < end; placed = tokens[next]) {
      const { token, at } = placed;
      const tokenEnd = at + token.text.length;
      if (at >= start && tokenEnd <= end) part.push({ ...placed, at: at - start });
      else part.push(...partOfToken(placed, { start, end }, language));
      if (tokenEnd > end) break;
      next += 1;
    }
    start = end;
    return part;
  });
}

/** Kinds of tokens that can be cut: their parts are tokens of the same kind. */
const DIVISIBLE: ReadonlySet<TokenKind> = new Set(['han', 'mark', 'silent'] as const);

/**
 * Cuts out the part of a token that lies within a part of the text. The parts of an overlong token
 * are tokenized again.
 */
function partOfToken(
  { token, at, ...style }: PlacedToken,
  part: { start: number; end: number },
  language: Language,
): PlacedToken[] {
  const from = Math.max(at, part.start);
  const text = token.text.slice(from - at, part.end - at);
  if (DIVISIBLE.has(token.kind)) return [{ ...style, token: { ...token, text }, at: from - part.start }];
  return tokenize(text, language).map((placed) => ({ ...style, ...placed, at: placed.at + from - part.start }));
}

function tokenFrom(source: TextCursor, before: PlacedToken | undefined): Token {
  const { text, at } = source;
  const han = matchSimple(source, HAN, 'han');
  if (han !== null) return han;
  const first = text.charAt(at);
  if (matchAt(PLAIN_WORD, text, at) !== null) {
    const word = (canBeMonth(source) ? matchDate(source) : null) ?? matchWord(source);
    if (word !== null) return word;
  }
  const address = matchAddress(source);
  if (address !== null) return address;
  // The point of a name such as B.1.1.7 ends no sentence.
  if (first === '.' && isTouching(source) && /\d/.test(text.charAt(at + 1))) return { text: first, kind: 'symbol' };
  const stamp = first === 'T' ? matchTimeOfStamp(source) : null;
  if (stamp !== null) return stamp;
  const listed = matchListedName(source);
  if (listed !== null) return listed;
  const parting = matchSpanSign(source) ?? matchApproximation(source) ?? matchClauseMark(source);
  if (parting !== null) return parting;
  const squared = matchSquared(source, tokenize);
  if (squared !== null) return squared;
  const number = matchNumeric(source, first, before);
  if (number !== null) return number;
  const rate = matchRate(source) ?? matchPointOfAngle(source);
  if (rate !== null) return rate;
  const power = matchVariablePower(source) ?? matchPower(source);
  if (power !== null) return power;
  const latin = matchLatin(source);
  if (latin !== null) return latin;
  const rest =
    matchSimple(source, MARK, 'mark') ?? matchSimple(source, SYMBOL, 'symbol') ?? matchSimple(source, SILENT, 'silent');
  // An unpaired surrogate matches none of the patterns.
  return rest ?? { text: first, kind: 'silent' };
}

/** Matches a sign that separates clauses; between numbers it belongs to a sum or a range. */
function matchClauseMark(source: TextCursor): Token | null {
  const { text, at, language } = source;
  const match = matchAt(PARTING, text, at) ?? (language === 'cantonese' ? matchAt(ARROW, text, at) : null);
  if (match === null) return null;
  const end = at + match[0].length;
  const isBetweenNumbers =
    /[\d)]\s*$/.test(text.slice(Math.max(0, at - 3), at)) && /^\s*[\d(]/.test(text.slice(end, end + 3));
  const isMinus = match[0] === '-' && isBetweenTerms(textBefore(source, FORMULA), text.slice(end, end + FORMULA));
  return (isBetweenNumbers && !match[0].startsWith('|')) || isMinus ? null : { text: match[0], kind: 'mark' };
}

function matchSimple(
  { text, at }: TextCursor,
  pattern: RegExp,
  kind: Extract<TokenKind, 'han' | 'mark' | 'symbol' | 'silent'>,
): Token | null {
  const match = matchAt(pattern, text, at);
  return match === null || match[0] === '' ? null : { text: match[0], kind };
}

/** Matches the most specific kind of number; the order of the attempts decides. */
function matchNumeric(source: TextCursor, first: string, before: PlacedToken | undefined): Token | null {
  const money = matchMoney(source);
  if (money !== null) return matchRange(source, money) ?? money;
  if (/[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒↉⅟vV]/u.test(first)) return matchFraction(source) ?? matchVersion(source);
  if (/[A-Z]/.test(first)) return matchDate(source);
  const circled = circledNumber(first);
  if (circled !== null) return { text: first, kind: 'number', value: plainNumeral(circled) };
  if (!DIGIT_FIRST.test(first)) return null;
  if (first !== '+' && !/[\d-]/.test(first) && (isTouching(source) || !/\d/.test(source.text.charAt(source.at + 1))))
    return null;
  if ((first === '+' || first === '-') && !canBeSign(source, before)) return null;
  if (first === '-' && source.language === 'cantonese' && matchAt(NEGATIVE_FRACTION, source.text, source.at) !== null)
    return { text: first, kind: 'symbol' };
  return longestDigits(source) ?? matchExponent(source) ?? matchIdentifyingNumber(source) ?? matchAmount(source);
}

/** Planes, rockets and missiles before the hyphen of their number: 歼-20. */
const SERIES_BEFORE =
  /(?:[歼殲轰轟运運苏蘇图圖]|(?:^|\P{Script=Han})[直教强強安]|空警|米格|伊[尔爾]|翼[龙龍]|彩虹|[东東][风風]|巨浪|[红紅]旗|[鹰鷹][击擊]|霹[雳靂]|[长長]征|神舟|天[宫宮舟和问問]|嫦娥|快舟|力箭|朱雀)$/u;

/** Whether a hyphen joins a name and its number; 客运-20% has an amount. */
const isOfSeries = ({ text, at }: TextCursor, name: string): boolean =>
  /^-\d{1,3}(?![\d.,%度℃°万萬亿億])/u.test(text.slice(at, at + 5)) && SERIES_BEFORE.test(name);

/** Whether a + or - is the sign of a number; directly after a number it is an operator. */
function canBeSign(source: TextCursor, before: PlacedToken | undefined): boolean {
  if (!/[\d.$]/.test(source.text.charAt(source.at + 1))) return false;
  if (before === undefined || before.at + before.token.text.length < source.at) {
    return before?.token.kind !== 'number' || !/^\s/.test(source.text.charAt(source.at + 1));
  }
  // The sign of y=-2.
  if (before.token.kind === 'symbol') return /[=＝≥≤≠<>]/u.test(before.token.text);
  return (before.token.kind === 'han' && !isOfSeries(source, before.token.text)) || before.token.kind === 'mark';
}

/** Matches the beginning of a very long number, so that no token exceeds `MAX_TOKEN_LENGTH`. */
function longestDigits({ text, at }: TextCursor): Token | null {
  if (!/[\d,.]/.test(text.charAt(at + MAX_TOKEN_LENGTH / 2))) return null;
  const found = numeralAt(text, at, { isMoney: false });
  if (found === null || found.length <= MAX_TOKEN_LENGTH) return null;
  const cut = text.slice(at, at + MAX_TOKEN_LENGTH);
  const { value } = numeralAt(cut, 0, { isMoney: false }) ?? found;
  return { text: cut, kind: 'number', value };
}

/** Matches the digits of 2^10-1, which are no range. */
function matchExponent(source: TextCursor): Token | null {
  const [digits] = /\^-?$/.test(textBefore(source, 2)) ? (matchAt(/\d+(?!\.?\d)/y, source.text, source.at) ?? []) : [];
  return digits === undefined ? null : { text: digits, kind: 'number', value: plainNumeral(digits) };
}

function matchIdentifyingNumber(source: TextCursor): Token | null {
  return (
    matchBrand(source) ??
    matchShortYears(source) ??
    matchNeighbors(source) ??
    matchNamedDay(source) ??
    matchToldRatio(source) ??
    matchDateOrRange(source) ??
    matchTimeOrRange(source) ??
    matchPhone(source) ??
    matchVersion(source) ??
    matchOrdinal(source) ??
    matchSpanOfYears(source) ??
    matchFraction(source) ??
    matchRatio(source) ??
    matchScore(source)
  );
}

function matchDateOrRange(source: TextCursor): Token | null {
  const date = matchDate(source);
  return date === null || source.language === 'english' ? date : (matchRange(source, date) ?? date);
}

function matchTimeOrRange(source: TextCursor): Token | null {
  const time = matchTime(source);
  return time === null ? null : (matchRange(source, time) ?? time);
}

function matchAmount(source: TextCursor): Token | null {
  const amount = matchNumberOrQuantity(source);
  if (amount === null) return null;
  const range = matchRange(source, amount);
  if (range !== null) return range;
  // 5G looks like a number without a unit, 5g like a quantity.
  const code = amount.kind === 'number' && amount.value.scale === null ? matchCode(source) : null;
  return code ?? asYear(source, amount);
}
