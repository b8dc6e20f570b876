import type { Numeral } from '#text/normalization/tokens.ts';

const DIGITS = '零一二三四五六七八九';
const PLACES = ['', '十', '百', '千'];
/** Longer numbers are read digit by digit. */
const MAX_DIGITS = 16;

type NumberStyle = {
  /** True for a number that counts something, so that a single 2 is 两. */
  counts: boolean;
};

/**
 * Reads digits one by one. `one` is 幺 in identifiers (telephones, rooms, buses), to distinguish it
 * from seven.
 */
export function digitByDigit(digits: string, one: '一' | '幺' = '一'): string {
  return [...digits].map((digit) => (digit === '1' ? one : (DIGITS[Number(digit)] ?? ''))).join('');
}

/**
 * Reads a whole number: 二 becomes 两 as its first digit before 百, 千, 万 and 亿 (两千二百). Leading zeros,
 * or more than 16 digits, are read digit by digit.
 */
export function integerInWords(digits: string): string {
  if (digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return digitByDigit(digits);
  if (Number(digits) === 0) return '零';
  return positiveInWords(digits)
    .replace(/^一十/u, '十')
    .replace(/^二(?=[百千万亿])/u, '两');
}

/** Reads 1 to 16 digits without the rules for the first digit: 一十二, 二千. */
function positiveInWords(digits: string): string {
  for (const [size, unit] of [
    [8, '亿'],
    [4, '万'],
  ] as const) {
    if (digits.length <= size) continue;
    const high = digits.slice(0, -size);
    const low = digits.slice(-size);
    const rest = low.replace(/^0+/, '');
    const spokenForm = `${positiveInWords(high)}${unit}`;
    if (rest === '') return spokenForm;
    return `${spokenForm}${low.startsWith('0') ? '零' : ''}${positiveInWords(rest)}`;
  }
  const parts = [...digits].map((digit, index) => {
    return digit === '0' ? '零' : `${DIGITS[Number(digit)]}${PLACES[digits.length - 1 - index]}`;
  });
  return parts.join('').replace(/零+/gu, '零').replace(/零$/u, '');
}

const CHINESE_SCALE = /^[百千萬万億亿兆]+$/u;

/** The sign of a number in words: 负, 正 or nothing. */
export const signOf = ({ sign }: Numeral): string => (sign === '-' ? '负' : sign === '+' ? '正' : '');

/** Reads a number with sign, point and power of ten: 负三点一四, 三点五亿; `2 million` becomes 两百万. */
export function numeralInWords(value: Numeral, style: NumberStyle = { counts: false }): string {
  const { sign, digits, fraction, scale } = value;
  const spokenForm = sign === '-' ? '负' : sign === '+' ? '正' : '';
  if (scale !== null && !CHINESE_SCALE.test(scale.written))
    return spokenForm + scaledInWords(digits, fraction, scale.exponent);
  const whole = integerInWords(digits);
  if (fraction !== null) return `${spokenForm}${whole}点${digitByDigit(fraction.slice(0, 400))}${scale?.written ?? ''}`;
  if (digits === '2' && (style.counts || scale !== null)) return `${spokenForm}两${scale?.written ?? ''}`;
  return spokenForm + whole + (scale?.written ?? '');
}

/** Reads a number after moving its point to the right by this many places. */
function scaledInWords(digits: string, fraction: string | null, exponent: number): string {
  const moved = (fraction ?? '').slice(0, exponent).padEnd(exponent, '0');
  const rest = (fraction ?? '').slice(exponent);
  const whole = integerInWords((digits + moved).replace(/^0+(?=\d)/, ''));
  return rest === '' ? whole : `${whole}点${digitByDigit(rest)}`;
}

/**
 * Whether a number in this context counts, so that a single 2 is 两 (两个, 两天) and not 二 (第二个, 二号).
 */
export function isCounted(before: string, after: string): boolean {
  if (/(?:第|初|周|週|星期|礼拜|禮拜|编号|編號|农历|[A-Za-z=+×÷-])\s?$/u.test(before)) return false;
  if (OF_HOME_BEFORE.test(before) ? OF_HOME.test(after) : ROOMS_OF_HOME.test(after)) return true;
  const rest = after.trimStart().replace(/^、\d(?!\d)/u, '');
  return MEASURES.test(rest) && !NAMES.test(rest);
}

/** The rooms of a home, 2室2厅; 2室 alone is a name. */
const ROOMS_OF_HOME = /^[室房](?=[\d一二两兩三四五六][厅廳])/u;
const OF_HOME_BEFORE = /[\d一二两兩三四五六][室房厅廳]$/u;
const OF_HOME = /^[厅廳卫衛厨廚]/u;

/** Matches text that begins with a measure word. */
const MEASURES = new RegExp(
  '^(?:小时|小時|分[钱錢]|分钟|分鐘|星期|礼拜|禮拜|公斤|公里|公分|厘米|毫米|平方|立方|美元|美金|欧元|歐元|英镑|港元|港币|大|小|整|' +
    '[个個位只隻条條张張本支枝件把块塊杯碗瓶天年周週秒岁歲人名次遍趟种種样樣家间間辆輛台臺双雙对對套层層幅首部篇封页頁句口头頭匹棵朵颗顆粒滴根片群排' +
    '组組队隊批份倍元毛角米斤里球亩畝瓣勺匙撮升吨噸克寸尺轮輪届屆场場局门門项項架艘座栋棟道堆箱包袋盒桶罐节節顿頓代股碟盘盤锅鍋串束盏盞扇户戶册冊期課课餐厂步笔筆桌盒派國国州省市字则則集棟])',
  'u',
);
/** Measure words that make the number before them a name: 2年级, 2期, 2号. */
const NAMES = /^(?:球[队隊员員]|年[级級]|期[工项]?|字头|小[区區]|大[队隊]|人[称稱])/u;
