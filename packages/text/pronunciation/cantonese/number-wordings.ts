import { reword, rewrite, type NumberWording, type Rewrite } from '#text/pronunciation/reword.ts';
import { digitByDigit, integerInWords, isCounting } from '#text/normalization/cantonese/numerals.ts';

/** Stands between a number and the word after it. */
const NEXT = '|';

const DIGIT = '[一二三四五六七八九]';
const HOURS = '零一二三四五六七八九十';
/** Names for every fifth minute, the positions of the hand: 九 of 七點九 is 45 minutes. */
const FIFTHS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一'];

const ANYWHERE: readonly Rewrite[] = [
  rewrite(new RegExp(`二十(?=${DIGIT}|[^萬億分點]|$)`, 'u'), '廿'),
  rewrite(new RegExp(`三十(?=${DIGIT})`, 'u'), '卅'),
  rewrite(/(?<![十零百千])二(?=[百千萬億])/u, '兩'),
  rewrite(/兩(?=[百千萬億])/u, '二'),
  rewrite(/^兩(?!.*半)(?=\|?(?:公[斤里升克尺]|平方|立方|[毫厘微]|[米升克磅呎吋]))/u, '二'),
  rewrite(/^二點(?=[零一二三四五六七八九]+(?:\||$))/u, '兩點'),
  // 千五 for 一千五百, and 百二八 for 一百二十八; 百分之 is no hundred.
  rewrite(/^一(?=[百千萬](?![分|])[^|])/u, ''),
  rewrite(new RegExp(`百(${DIGIT})十(?!${DIGIT})`, 'u'), '百$1'),
  rewrite(new RegExp(`百(${DIGIT})十(?=${DIGIT})`, 'u'), '百$1'),
  rewrite(new RegExp(`千(${DIGIT})百(?![零${DIGIT.slice(1)})`, 'u'), '千$1'),
  rewrite(new RegExp(`萬(${DIGIT})千(?![零${DIGIT.slice(1)})`, 'u'), '萬$1'),
  rewrite(/攝氏/u, ''),
  rewrite(/至/u, '到'),
  rewrite(new RegExp(`^百分之(${DIGIT})十(?=\\||$)`, 'u'), '$1成'),
  rewrite(/^二成/u, '兩成'),
  rewrite(/^二分之一(?=\||$)/u, '半', '一半'),
  rewrite(/^二點五(?=\|(?:小時|鐘頭))/u, '兩個半'),
  rewrite(/^([一三四五六七八九十]+)點五(?=\|(?:小時|鐘頭))/u, '$1個半'),
  rewrite(/^二分之一\|個$/u, '一半'),
  rewrite(/^二點五\|(公斤|公里|公升|[年磅米斤呎吋日倍])$/u, '兩$1半'),
  rewrite(/^([一三四五六七八九十]+)點五\|(公斤|公里|公升|[年磅米斤呎吋日倍])$/u, '$1$2半'),
];
const OF_MONEY: readonly Rewrite[] = [
  rewrite(/蚊(?=\||$)/u, '元', '個'),
  rewrite(/^個半/u, '一個半'),
  rewrite(/個半(?=\||$)/u, '蚊半', '元五角', '點五元', '蚊五毫'),
  rewrite(new RegExp(`個(${DIGIT})(?=\\||$)`, 'u'), '蚊$1', '元$1角', '點$1元', '蚊$1毫'),
  rewrite(/毫(?=\||$)/u, '角', '毫子'),
];
const OF_DAYS: readonly Rewrite[] = [rewrite(/號(?=\||$)/u, '日'), rewrite(/日(?=\||$)/u, '號')];
const OF_NUMERIC_DAYS: readonly Rewrite[] = [
  ...OF_DAYS,
  // A month and a day in the other order: 5/12.
  rewrite(new RegExp(`([${HOURS}]+)月(十[一二]?|[一二三四五六七八九])(?=[號日](?:\\||$))`, 'u'), '$2月$1'),
];
const OF_TIMES: readonly Rewrite[] = [
  rewrite(/點(?=\||$)/u, '點正', '點鐘'),
  rewrite(/點半/u, '點三十分', '點六'),
  // A quarter is 骨, after the English word, or 刻.
  rewrite(/點十五分?(?=\||$)/u, '點一個骨', '點個骨', '點一刻'),
  rewrite(/點四十五分?(?=\||$)/u, '點三個骨', '點三刻'),
  rewrite(/點三十分?(?=\||$)/u, '點半'),
  rewrite(/分(?=\||$)/u, '', '分鐘'),
  rewrite(/^(?:朝早|上晝|早上)/u, '上午', ''),
  rewrite(/^上午/u, '早上', '朝早'),
  rewrite(/^(?:下晝|晏晝)/u, '下午', ''),
  rewrite(/^夜晚/u, '晚上', ''),
  ...FIFTHS.map((name, index) => {
    const minutes = integerInWords(String((index + 1) * 5));
    const units = name === '二' ? '兩個字' : `${name}個字`;
    return rewrite(new RegExp(`點零?${minutes}分?(?=\\||$)`, 'u'), `點${name}`, `點${units}`, `點搭${name}`);
  }),
  ...Array.from({ length: 11 }, (_, index) => {
    const hour = hourInWords(index + 1);
    const half = index + 1 < 6 ? '下午' : '晚上';
    return rewrite(
      new RegExp(`^${integerInWords(String(index + 13))}點`, 'u'),
      `${hour}點`,
      `${half}${hour}點`,
      `${half === '下午' ? '下晝' : '夜晚'}${hour}點`,
    );
  }),
];

/**
 * The other usual ways to say a number that was written in digits: 廿三 for 23, 兩百 for 200, 兩點零五分
 * and 下晝兩點一 for 14:05. `next` is the word after it, or ''.
 */
export function numberWordings(written: string, spokenForm: string, next: string): NumberWording[] {
  if (!/\d/u.test(written)) return [];
  const inOther = inOtherDigits(written, next).map((other) => other + NEXT + next);
  return reword([spokenForm + NEXT + next, ...inOther], [...ANYWHERE, ...rulesOf(written)]).map((form) => {
    const [number = '', after] = form.split(NEXT);
    return { spokenForm: number, takesNext: after === undefined };
  });
}

function rulesOf(written: string): readonly Rewrite[] {
  if (/[$元蚊毫]/u.test(written)) return OF_MONEY;
  if (/月\d+[日號号]$/u.test(written)) return OF_DAYS;
  if (/\d[/.-]\d+$/u.test(written) && !/\.\d+$/u.test(written)) return OF_NUMERIC_DAYS;
  return /:|點|[ap]\.?m/iu.test(written) ? OF_TIMES : [];
}

/** Names of years and of buses, rooms and so on, as a number and one by one: 97年, 2026年, 968. */
function inOtherDigits(written: string, next: string): string[] {
  const [, digits = '', year = ''] = /^([1-9]\d{1,3})(年?)$/u.exec(written) ?? [];
  const isYear = year !== '' || next.startsWith('年');
  const isName = isYear ? digits.length !== 3 : digits.length > 2 && !isCounting('', next);
  return isName ? [integerInWords(digits) + year, digitByDigit(digits) + year] : [];
}

function hourInWords(hour: number): string {
  return hour === 2 ? '兩' : integerInWords(String(hour));
}
