import { isBetweenTerms } from '#text/normalization/formulas.ts';
import { isAfterPower, isBeforeExponent, isRaised } from '#text/normalization/powers.ts';
import { isBetweenCodes, isKey, isPerUnit } from '#text/normalization/short-forms.ts';
import { SYMBOL_NAMES, SYMBOL_NAMES_IN_SUMS } from './unit-names.ts';
import { isFurtherVerse } from './verses.ts';

/** An amount in thousands or millions: $300K+. */
export const THOUSANDS_BEFORE = /(?:\p{Sc} ?[\d.,]+|\d{2,})[KkMm]$/u;

/** A variable, to which a number is added: x^2+y^2. */
const VARIABLE_AFTER = /^\s*\p{Script=Latin}(?:\s*[=^+*/²³-]|\s*$)/u;
/** Whether a minus is the sign of a fraction: x=-1/3. */
const isBeforeFraction = (before: string, after: string): boolean =>
  /^\d{1,4}\/\d{1,4}(?![\d/])/.test(after) && !/[\d\p{Script=Latin})]\s?$/u.test(before);

/** Words that say about, before the sign that says it too. */
const ABOUT_BEFORE = /(?:約|大概|左右|差唔多)\s?$/u;
/** Reads a sign beside one number: >50, ~5, 30+. */
function signOfAmount(sign: string, before: string, after: string): string | null {
  if (sign === '+' && VARIABLE_AFTER.test(after) && (/\s$/.test(before) || /^\S/.test(after))) return null;
  const isBefore = /^\s*[\d$]/.test(after);
  if (/[~～]/.test(sign) && ABOUT_BEFORE.test(before)) return '';
  if (isBefore && !/\d\s*$/.test(before)) return { '>': '超過', '<': '少過', '~': '大約', '～': '大約' }[sign] ?? null;
  // Grades of the examination: 5*, 5**.
  if (sign === '*' && /5\**$/.test(before) && !/^\**\d/.test(after)) return '星';
  if (sign === '/' && /(?:\p{Sc} ?[\d,.]+(?:[KkMm]|[百千]?萬|億)?|[蚊元])$/u.test(before)) return '每';
  if (sign !== '+' || !(/\d歲?$/u.test(before) || THOUSANDS_BEFORE.test(before)) || /^\s*[\d(]/.test(after))
    return null;
  return before.endsWith('0') && /^\p{Script=Han}/u.test(after) ? '幾' : '以上';
}

/** Signs between two words: 咖啡+蛋糕, 質素>價錢. */
const BETWEEN_WORDS: Readonly<Record<string, string>> = { '+': '加', '>': '大過', '<': '細過' };
const SPOKEN_BEFORE = /[\p{Script=Han}\p{Script=Latin}\d²³)）] ?$/u;
const SPOKEN_AFTER = /^ ?(?:[\p{Script=Han}\p{Script=Latin}(（]|-\d)/u;
/** Nouns of which something costs an amount each: 收100/位. */
const PER_AFTER = /^(?:月|年|日|晚|次|位|人|個|件|小時|鐘頭|堂|節|支|杯|條|碗|份|張|間|呎|尺|平方)(?!\d)/u;

/** A count and the time that it is about: 72次/分鐘. */
const RATE_BEFORE = /\d ?[次下個轉米粒滴杯碗公里度蚊元]$/u;
const RATE_AFTER = /^(?:秒|分鐘?|小時|鐘頭|日|晚|星期|禮拜|月|年)/u;

/** The rates of banks, from which an interest is counted: P-2.25%. */
const RATE_OF_BANKS = /(?<!\p{Script=Latin})[PH]$/u;

/** Whether a sign is rather one of two brackets. */
function isMarkup(sign: string, before: string, after: string): boolean {
  return (sign === '<' && after.includes('>')) || (sign === '>' && before.includes('<'));
}

/** Whether a hyphen is one of a list such as 4-3-3; a subtraction has a result. */
function isInList(before: string, after: string): boolean {
  return (/\d-\d+$/.test(before) || /^\d+-\d/.test(after)) && !/^[\d-]+\s*=/.test(after);
}

/** The power of a number, which is no area: 3², 10⁻³, not 50m². */
const POWER_BEFORE = /(?:(?<!\p{Script=Latin})\d|[)）])[⁺⁻]?[²³⁰¹⁴-⁹ⁿ]+\s*$/u;

/** Reads a sign by the text around it; '' for a silent one. */
export function symbolInWords(sign: string, before: string, after: string): string {
  // The sign stands for the word 蚊: 幾$, 十幾$.
  if (sign === '$' && /\p{Script=Han}$/u.test(before) && !/^\s?\d/.test(after))
    return /[十百千萬廿卅]幾$/u.test(before) ? '蚊' : '錢';
  if (/[+-]/.test(sign) && isBetweenTerms(before, after)) return sign === '+' ? '加' : '減';
  if (/[-–~～]/.test(sign) && isBetweenCodes(before, after)) return '至';
  if (/[#*]/.test(sign) && isKey(before, after)) return keyInWords(sign, after);
  const beside = signOfAmount(sign, before, after);
  if (beside !== null) return beside;
  const word = BETWEEN_WORDS[sign];
  if (word !== undefined && SPOKEN_BEFORE.test(before) && SPOKEN_AFTER.test(after) && !isMarkup(sign, before, after))
    return word;
  if (sign === '+' && /\p{Script=Latin}$/u.test(before) && /^\d/.test(after)) return '加';
  if (sign === '+' && /(?<!\p{Script=Latin})\p{Script=Latin}\s$/u.test(before) && /^\s\d/.test(after)) return '加';
  if (sign === '-' && RATE_OF_BANKS.test(before) && /^\d[\d.]*%/.test(after)) return '減';
  if (
    sign === '/' &&
    ((/\d$/.test(before) && PER_AFTER.test(after)) ||
      isPerUnit(before, after) ||
      (RATE_BEFORE.test(before) && RATE_AFTER.test(after)))
  )
    return '每';
  if (sign === '^') return isRaised(before, after) ? '嘅' : '';
  if (sign === '-' && (isBeforeExponent(before) || after.startsWith('∞') || isBeforeFraction(before, after)))
    return '負';
  if (sign === '+' && after.startsWith('∞')) return '正';
  if (sign === '-' && isAfterPower(before, after)) return '減';
  const isSum = (/[\d)）]\s*$/u.test(before) || POWER_BEFORE.test(before)) && /^\s*[\d(（]/u.test(after);
  if (/[-–—~～]/u.test(sign) && isFurtherVerse(before + sign)) return '至';
  if (sign === '-' && isInList(before, after)) return '';
  if (sign === '&' && !/[\p{Script=Han}\d]\s*$/u.test(before)) return '';
  return SYMBOL_NAMES[sign] ?? (isSum && sign !== '/' ? SYMBOL_NAMES_IN_SUMS[sign] : undefined) ?? '';
}

/** Reads a key of a telephone; its name may be written on: #字鍵, *號鍵. */
export function keyInWords(sign: string, after: string): string {
  const rest = sign === '#' ? '號' : '字';
  return (sign === '#' ? '井' : '米') + (/^ ?[字號号]/u.test(after) ? '' : rest);
}
