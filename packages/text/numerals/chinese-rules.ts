import {
  DIGIT,
  parseShortened,
  parseWhole,
  PART_OF_NUMBER,
  readDigits,
  SHORTENED,
  TENS,
  WHOLE,
} from './parse-chinese.ts';
import { isCounting, writeDigits } from './digits.ts';

/** Rewrites the groups of a match; null leaves the text as it is. */
type Rule = { pattern: RegExp; write: (groups: readonly string[]) => string | null };

const rule = (pattern: string, write: Rule['write']): Rule => ({
  pattern: new RegExp(`(?<!${PART_OF_NUMBER}|[點点]|${PART_OF_NUMBER}[至到])${pattern}`, 'gv'),
  write,
});
const ENDS = '(?=$|[\\p{P}\\s])';
const NO_NUMBER = `(?!${PART_OF_NUMBER})`;
const TO = '([至到])';
/** The end of an amount, which particles may follow: 十五蚊六啦. */
const ENDS_AMOUNT = '(?=[啦喇呀啊㗎咋囉嘅]*(?:$|[\\p{P}\\s]))';
/** A whole number or a decimal one: 三十七點五, 零點五. */
const DECIMAL = `(${WHOLE}|零)[點点](${DIGIT}+)`;
/**
 * Units before which a number of two digits is written in digits, unless such units follow each
 * other: 十歲八歲.
 */
const UNITS = [
  `[歲岁](?!${WHOLE}[歲岁])`,
  `秒[鐘钟]?(?!${WHOLE}秒)`,
  `[樓楼](?!梯|${WHOLE}[樓楼])`,
  `[號号](?!風球|波|幹線|仔|${WHOLE}[號号])`,
  '分[鐘钟]|[點点][鐘钟]|小[時时]|公里|公斤|厘米|毫米|元|[塊块][錢钱]|米|呎|吋|磅',
].join('|');
/** Units before which every number is written in digits. */
const MEASURES = '克(?![拉力服])|毫升';
const CURRENCIES = '港元|港幣|美元|美金|歐元|日元|日圓|英鎊|人民幣|台幣|澳元|加元|韓元';
const DECIMAL_UNITS = `度|倍|[億亿萬万]|升|公升|秒|公里|公斤|厘米|毫米|米|呎|吋|磅|${MEASURES}`;

/** Digits with commas from five digits on; whole myriads keep their character, as people write. */
function writeWhole(value: number): string {
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

/** The minutes after an hour: 半, 四十五分, 零五分 or nothing. */
function minutesOf(text: string): number | null {
  if (text === '' || text === '半') return text === '' ? 0 : 30;
  // Without 零, 九點五分 is a mark and no time.
  return text.startsWith('零') ? within(text.slice(1, -1), 1, 9) : within(text.slice(0, -1), 10, 59);
}
const PART_OF_DAY = '聽日|朝早|早上|上午|中午|下午|下晝|晏晝|夜晚|晚上|今晚|聽晚|凌晨|半夜';
const MINUTES = `半(?![分鐘钟])|零?${WHOLE}分(?![之鐘钟])`;

const decimal = (whole: string, part: string) =>
  `${writeWhole(parseWhole(whole))}${part === '' ? '' : `.${readDigits(part)}`}`;

/** 二零二六年十一月三號, from the month on. */
function dateIn(month: string, day: string, unit: string): string | null {
  const [months, days] = [within(month, 1, 12), within(day, 1, 31)];
  return months === null || days === null ? null : `${months}月${days}${unit}`;
}

/** Two digits before 年 that mean several years: 七八年, 三五年. */
const isEstimate = ([first = 0, second = 0]: readonly number[]) =>
  second === first + 1 || (first === 3 && second === 5);

/** Idioms with numbers that are not meant exactly. */
const IDIOMS = '十[萬万]八千里|[二兩两][萬万]五千里|十二[萬万]分|一百二十[個分](?:放心|願意|贊成|同意)';
/** Words before digits that are read one by one. */
const NAMED =
  '(?:電話|(?:電話|手機|傳真|訂單|確認|查詢)號碼|密[碼码]|[驗验][證证][碼码]|[編编][號号]|尾[號号]|[車车]牌(?:[A-Z]{2})?|(?:打|致電|打去)(?=[一九零〇]))(?:係|是|為|：)?';

const MONEY_RULES: readonly Rule[] = [
  rule(`(${WHOLE})蚊半`, ([amount = '']) => `$${parseWhole(amount)}.50`),
  rule(`(${WHOLE})蚊([一二三四五六七八九])(?:毫子?(?!半)|${ENDS_AMOUNT})`, ([amount = '', tenths = '']) => {
    return `$${writeWhole(parseWhole(amount))}.${readDigits(tenths)}0`;
  }),
  // 五蚊銀 is a coin, and 一蚊都冇 is no amount.
  rule(
    `(?<![冇無])(?!一蚊[都也亦])(${WHOLE})蚊(?!幾|多|[雞鸡]|[銀紙]|[一二三四五六七八九]毫)`,
    ([amount = '']) => `$${writeWhole(parseWhole(amount))}`,
  ),
  rule(
    `(${WHOLE})${TO}(${WHOLE})蚊(?!幾|多|[雞鸡]|[銀紙]|[一二三四五六七八九]毫)`,
    ([from = '', to = '', until = '']) => {
      const [least, most] = [parseWhole(from), parseWhole(until)];
      return least < 10 || most <= least ? null : `$${writeWhole(least)}${to}$${writeWhole(most)}`;
    },
  ),
  rule(`(${WHOLE})(${CURRENCIES})`, ([amount = '', currency = '']) => {
    return parseWhole(amount) < 10 ? null : `${writeWhole(parseWhole(amount))}${currency}`;
  }),
  rule(`(${SHORTENED})蚊(?!幾|多|[銀紙])`, ([amount = '']) => `$${writeWhole(parseShortened(amount))}`),
  // With less than ten it may count things: 三個五.
  rule(`(${WHOLE})個([一二三四五六七八九半])${ENDS}`, ([amount = '', tenths = '']) => {
    const value = parseWhole(amount);
    if (value < 20 || (tenths === '半' && value < 100)) return null;
    return `$${value}.${tenths === '半' ? 5 : readDigits(tenths)}0`;
  }),
];

/** Characters after a time of day that ends with its minutes. */
const AFTER_TIME = '[開开見见到嘅前後后正左集出起入收放返食喺]';

const PERCENTAGE = `(${WHOLE}|零)(?:[點点](${DIGIT}+))?`;
const PERCENT_RULES: readonly Rule[] = [
  rule(`百分之百${NO_NUMBER}`, () => '100%'),
  rule(`百分之${PERCENTAGE}${TO}(?:百分之)?${PERCENTAGE}${NO_NUMBER}`, (groups) => {
    const [from = '', fromPart = '', to = '', until = '', untilPart = ''] = groups.map((group) => group ?? '');
    return `${decimal(from, fromPart)}%${to}${decimal(until, untilPart)}%`;
  }),
  rule(`百分之${PERCENTAGE}(?!${PART_OF_NUMBER}|[至到]${PART_OF_NUMBER})`, ([whole = '', part = '']) => {
    return `${decimal(whole, part)}%`;
  }),
  rule(`${PERCENTAGE}個? ?(?:percent|Percent|PERCENT)(?![A-Za-z])`, ([whole = '', part = '']) => {
    return `${decimal(whole, part)}%`;
  }),
];

const TIME_RULES: readonly Rule[] = [
  // A range has both times in digits or neither: 兩點到四點半 is 2:00到4:30, and 兩點到四點 stays.
  rule(
    `(${WHOLE})[點点](${MINUTES})?${TO}(${PART_OF_DAY})?(${WHOLE})[點点](${MINUTES})?(?!${PART_OF_NUMBER}|[鐘钟])`,
    (groups) => {
      const [hour = '', minute = '', to = '', half = '', untilHour = '', untilMinute = ''] = groups.map(
        (group) => group ?? '',
      );
      const [minutes, untilMinutes] = [minutesOf(minute), minutesOf(untilMinute)];
      if (minutes === null || untilMinutes === null || minute + untilMinute === '') return null;
      const [from, until] = [clock(hour, minutes), clock(untilHour, untilMinutes)];
      return from === null || until === null ? null : `${from}${to}${half}${until}`;
    },
  ),
  rule(`(${WHOLE})[點点](${MINUTES})(?![至到](?:${PART_OF_DAY})?${WHOLE}[點点])`, ([hour = '', minute = '']) => {
    const minutes = minutesOf(minute);
    return minutes === null ? null : clock(hour, minutes);
  }),
  // 七點四十五開波; 十點十個字 counts.
  rule(`(${WHOLE})[點点](${TENS})(?=$|[\\p{P}\\s]|${AFTER_TIME})`, ([hour = '', minute = '']) => {
    const minutes = within(minute, 10, 59);
    return minutes === null ? null : clock(hour, minutes);
  }),
  rule(`(${WHOLE})([時时])(零?${WHOLE})分(?![之鐘钟])`, ([hour = '', unit = '', minute = '']) => {
    const [hours, minutes] = [within(hour, 1, 24), minutesOf(`${minute}分`)];
    return hours === null || minutes === null
      ? null
      : `${hours}${unit}${minute.startsWith('零') ? '0' : ''}${minutes}分`;
  }),
  rule(`(${WHOLE})分([鐘钟]?)(${WHOLE})秒`, ([minutes = '', word = '', seconds = '']) => {
    return within(seconds, 10, 59) === null ? null : `${parseWhole(minutes)}分${word}${parseWhole(seconds)}秒`;
  }),
  // The result of a race has hundredths of a second: 九秒五八.
  rule(`(${WHOLE})秒(${DIGIT}{2})${NO_NUMBER}`, ([seconds = '', part = '']) => {
    return `${parseWhole(seconds)}秒${readDigits(part)}`;
  }),
  rule(
    `(${WHOLE})(個)?(小[時时]|[鐘钟][頭头]?)(${WHOLE})(分[鐘钟])`,
    ([hours = '', of = '', unit = '', minutes = '', last = '']) => {
      return parseWhole(minutes) < 10 ? null : `${parseWhole(hours)}${of}${unit}${parseWhole(minutes)}${last}`;
    },
  ),
];

const DATE_RULES: readonly Rule[] = [
  rule(
    `(${WHOLE})月(${WHOLE})([號号日])${TO}(?:(${WHOLE})月)?(${WHOLE})([號号日])`,
    ([month = '', day = '', unit = '', to = '', untilMonth = '', untilDay = '', untilUnit = '']) => {
      const from = dateIn(month, day, unit);
      const until = dateIn(untilMonth || month, untilDay, untilUnit);
      if (from === null || until === null) return null;
      return `${from}${to}${untilMonth ? until : until.slice(until.indexOf('月') + 1)}`;
    },
  ),
  rule(`(${WHOLE})月(${WHOLE})([號号日])`, ([month = '', day = '', unit = '']) => dateIn(month, day, unit)),
  rule(
    `([一二]${DIGIT}{3}|${DIGIT}{2})年(${WHOLE})月(?:${TO}(${WHOLE})月)?(?!${WHOLE}[號号日])`,
    ([year = '', month = '', to = '', untilMonth = '']) => {
      const months = [month, untilMonth].filter(Boolean).map((monthWord) => within(monthWord, 1, 12));
      return months.includes(null) ? null : `${readDigits(year)}年${months.join(`月${to ?? ''}`)}月`;
    },
  ),
  // A school or financial year.
  rule(`(二[零〇]${DIGIT}{2})([至到]?)(${DIGIT}{2})(年度|學年|財年)`, ([year = '', to = '', next = '', unit = '']) => {
    const [from, until] = [readDigits(year), readDigits(next)];
    return Number(until) === (Number(from) + 1) % 100 ? `${from}${to || '-'}${until}${unit}` : null;
  }),
  rule(`([一二]${DIGIT}{3})年`, ([year = '']) => `${readDigits(year)}年`),
  rule(`(${DIGIT}{2})年(?![級级幾几華华])`, ([year = '']) => {
    const digits = readDigits(year);
    return isEstimate([...digits].map(Number)) ? null : `${digits}年`;
  }),
];

/** 五歲到十二歲: both in digits, or neither. */
function rangeOf([from = '', unit = '', to = '', until = '', untilUnit = '']: readonly string[]): string | null {
  const [least, most] = [parseWhole(from), parseWhole(until)];
  return Math.max(least, most) < 10 ? null : `${writeWhole(least)}${unit}${to}${writeWhole(most)}${untilUnit}`;
}

/**
 * Rules for the numbers that people write in digits, in the order of precedence. Everything else
 * stays: ordinals, small counts, approximate numbers and idioms.
 */
export const CHINESE_RULES: readonly Rule[] = [
  ...MONEY_RULES,
  ...PERCENT_RULES,
  ...TIME_RULES,
  ...DATE_RULES,
  rule(`(${DIGIT}{5,})${NO_NUMBER}`, ([read = '']) => {
    const digits = readDigits(read);
    if (isCounting(digits)) return null;
    return writeDigits(digits);
  }),
  // Digits after a word that they belong to are no count: 電話二三四五六七八九, 密碼一二三四, CX八八八.
  rule(`(?<=${NAMED})(${DIGIT}{3,})${NO_NUMBER}`, ([read = '']) => writeDigits(readDigits(read))),
  rule(`(?<=[A-Z])(${DIGIT}{3,4})${NO_NUMBER}`, ([read = '']) => {
    return isCounting(readDigits(read)) ? null : readDigits(read);
  }),
  rule(`(${DIGIT}{3,4})(?=室|號[室房舖鋪]|號?(?:巴士|小巴))`, ([read = '']) => readDigits(read)),
  rule(`(${WHOLE})度(${DIGIT})${ENDS_AMOUNT}`, ([degrees = '', tenths = '']) => {
    // The temperature of a fever; another number before 度 may count things.
    return within(degrees, 35, 42) === null ? null : `${parseWhole(degrees)}.${readDigits(tenths)}度`;
  }),
  rule(`${DECIMAL}(${DECIMAL_UNITS})`, ([whole = '', part = '', unit = '']) => {
    // 五點四度: about twenty past five.
    if (unit === '度' && within(whole, 1, 12) !== null) return null;
    return `${decimal(whole, part)}${unit}`;
  }),
  rule(`(${WHOLE})(${UNITS})${TO}(${WHOLE})(${UNITS})`, rangeOf),
  rule(`(${WHOLE})${TO}(${WHOLE})(${UNITS})`, ([from = '', to = '', until = '', unit = '']) => {
    const [least, most] = [parseWhole(from), parseWhole(until)];
    return least < 10 || most <= least ? null : `${writeWhole(least)}${to}${writeWhole(most)}${unit}`;
  }),
  // Two digits only with a unit that people write digits before; 廿五或者廿六號 stays whole.
  rule(`(?<![歲岁]|${PART_OF_NUMBER}(?:或者?|定係?|同|、))(${WHOLE})(${UNITS})`, ([count = '', unit = '']) => {
    const value = parseWhole(count);
    return value < 10 ? null : `${writeWhole(value)}${unit}`;
  }),
  rule(`(${WHOLE})(${MEASURES})`, ([count = '', unit = '']) => `${writeWhole(parseWhole(count))}${unit}`),
  // Exact numbers: three digits or more, of which at least two are not zero. No clock shows them.
  rule(
    `(?!${IDIOMS})(${WHOLE})(?:[點点](${DIGIT}+))?(?!${PART_OF_NUMBER}|[行夜]|[點点]${PART_OF_NUMBER})`,
    ([count = '', part]) => {
      const value = parseWhole(count);
      if (value <= 100 || !/[1-9].*[1-9]/.test(String(value))) return null;
      return decimal(count, part ?? '');
    },
  ),
];
