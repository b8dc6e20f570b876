import { DIGIT, parseShortened, parseWhole, PART_OF_NUMBER, readDigits, SHORTENED, WHOLE } from './parse-chinese.ts';

/** Rewrites the groups of a match; null leaves the text as it is. */
type Rule = { pattern: RegExp; write: (groups: readonly string[]) => string | null };

const rule = (pattern: string, write: Rule['write']): Rule => ({
  pattern: new RegExp(`(?<!${PART_OF_NUMBER}|[點点]|${PART_OF_NUMBER}[至到])${pattern}`, 'gu'),
  write,
});
const ENDS = '(?=$|[\\p{P}\\s])';
const NO_NUMBER = `(?!${PART_OF_NUMBER})`;

/** Digits with commas from five digits on; whole myriads keep their character, as people write. */
export function writeWhole(value: number): string {
  if (value >= 10_000 && value % 10_000 === 0) return `${value / 10_000}萬`;
  return value < 10_000 ? String(value) : String(value).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}

function within(text: string, least: number, most: number): number | null {
  const value = parseWhole(text);
  return value >= least && value <= most ? value : null;
}

const clock = (hour: string, minute: number): string | null => {
  const hours = within(hour, 1, 24);
  return hours === null ? null : `${hours}:${String(minute).padStart(2, '0')}`;
};

/** Two digits before 年 that mean several years: 七八年, 三五年. */
const isEstimate = ([first = 0, second = 0]: readonly number[]) =>
  second === first + 1 || (first === 3 && second === 5);

const isCounting = (digits: string) =>
  [...digits].every((digit, index) => index === 0 || Number(digit) === (Number(digits[index - 1]) + 1) % 10);

/**
 * What people write in digits, in the order of precedence. Everything else stays: ordinals, small
 * counts, approximate numbers and idioms.
 */
export const CHINESE_RULES: readonly Rule[] = [
  rule(`(${WHOLE})蚊半`, ([amount = '']) => `$${parseWhole(amount)}.50`),
  rule(`(${WHOLE})蚊(?!幾|多|[雞鸡])`, ([amount = '']) => `$${writeWhole(parseWhole(amount))}`),
  rule(`(${SHORTENED})蚊(?!幾|多)`, ([amount = '']) => `$${writeWhole(parseShortened(amount))}`),
  // With less than ten it may count things: 三個五.
  rule(`(${WHOLE})個([一二三四五六七八九半])${ENDS}`, ([amount = '', tenths = '']) => {
    const value = parseWhole(amount);
    if (value < 20 || (tenths === '半' && value < 100)) return null;
    return `$${value}.${tenths === '半' ? 5 : readDigits(tenths)}0`;
  }),
  rule(`百分之百${NO_NUMBER}`, () => '100%'),
  rule(`百分之(${WHOLE})(?:[點点](${DIGIT}+))?${NO_NUMBER}`, ([whole = '', part = '']) => {
    return `${parseWhole(whole)}${part === '' ? '' : `.${readDigits(part)}`}%`;
  }),
  rule(`(${WHOLE})[點点]半(?![分鐘钟])`, ([hour = '']) => clock(hour, 30)),
  rule(`(${WHOLE})[點点]零?(${WHOLE})分(?![之鐘钟])`, ([hour = '', minute = '']) => {
    const minutes = within(minute, 1, 59);
    return minutes === null ? null : clock(hour, minutes);
  }),
  rule(`(${WHOLE})月(${WHOLE})([號号日])`, ([month = '', day = '', unit = '']) => {
    const [months, days] = [within(month, 1, 12), within(day, 1, 31)];
    return months === null || days === null ? null : `${months}月${days}${unit}`;
  }),
  rule(`([一二]${DIGIT}{3})年`, ([year = '']) => `${readDigits(year)}年`),
  rule(`(${DIGIT}{2})年(?![級级幾几])`, ([year = '']) => {
    const digits = readDigits(year);
    return isEstimate([...digits].map(Number)) ? null : `${digits}年`;
  }),
  rule(`(${DIGIT}{5,})${NO_NUMBER}`, ([read = '']) => {
    const digits = readDigits(read);
    if (isCounting(digits)) return null;
    return /^[235-9]\d{7}$/.test(digits) ? `${digits.slice(0, 4)} ${digits.slice(4)}` : digits;
  }),
  // Two digits only with a unit that people write digits before.
  rule(
    `(${WHOLE})([歲岁]|分[鐘钟]|秒[鐘钟]|[點点][鐘钟]|公里|公斤|厘米|元|[塊块][錢钱])`,
    ([count = '', unit = '']) => {
      const value = parseWhole(count);
      return value < 10 ? null : `${writeWhole(value)}${unit}`;
    },
  ),
  // Exact numbers: three digits or more, of which at least two are not zero.
  rule(`(${WHOLE})(?!${PART_OF_NUMBER}|行|[點点])`, ([count = '']) => {
    const value = parseWhole(count);
    return value > 100 && /[1-9].*[1-9]/.test(String(value)) ? writeWhole(value) : null;
  }),
];
