import { digitByDigit, integerInWords, isCounted } from '#text/normalization/mandarin/chinese-numbers.ts';
import { reword, rewrite, type NumberWording, type Rewrite } from '#text/pronunciation/reword.ts';

/** Stands between a number and the word after it. */
const NEXT = '|';
const DIGIT = '[一二三四五六七八九]';
const NUMBER = '[零一二两三四五六七八九十百千万]+';
const MEASURES = '(?:公[斤里尺]|平[方米]|立方|[毫厘微千]?[米升克]|[斤尺寸吨磅]|英[里尺寸])';
/** Units of which a half is said behind them: 两公斤半. */
const HALVED = '公斤|千克|公里|千米|公升|[年天斤米吨倍岁升]';

const ANYWHERE: readonly Rewrite[] = [
  rewrite(/(?<!十)二(?=[百千万亿])/u, '两'),
  rewrite(/两(?=[百千万亿])/u, '二'),
  rewrite(new RegExp(`^两(?=\\|?${MEASURES})`, 'u'), '二'),
  rewrite(new RegExp(`^二(?=\\|?${MEASURES})`, 'u'), '两'),
  rewrite(/^二(?=点[零一二三四五六七八九])/u, '两'),
  rewrite(/^两\|个(?!半)/u, '俩'),
  rewrite(/^三\|个(?!半)/u, '仨'),
  // A number ends with its second place: 一千五 for 1500, but 一百二 only alone or of money.
  rewrite(new RegExp(`百(${DIGIT})十(?=\\|?[块元]|\\|?$)`, 'u'), '百$1'),
  rewrite(new RegExp(`千(${DIGIT})百(?=\\|?[块元]|\\|?$)`, 'u'), '千$1'),
  rewrite(new RegExp(`万(${DIGIT})千(?=\\|?[块元]|\\|?$)`, 'u'), '万$1'),
  rewrite(/百一十/u, '百十'),
  rewrite(/到/u, '至'),
  rewrite(new RegExp(`^(零下)?(${NUMBER}(?:点${NUMBER})?)摄氏度`, 'u'), '$1$2度', '摄氏$1$2度'),
  rewrite(/^零下/u, '负', '零下'),
  rewrite(new RegExp(`^百分之(${DIGIT})十(?=\\||$)`, 'u'), '$1成'),
  rewrite(/^二成/u, '两成'),
  rewrite(/^二分之一(?=\||$)/u, '一半', '半'),
  rewrite(/^[二两]点五(?=\|(?:小时|钟头|月|星期))/u, '两个半'),
  rewrite(/^([一三四五六七八九十]+)点五(?=\|(?:小时|钟头|月|星期))/u, '$1个半'),
  rewrite(new RegExp(`^[二两]点五\\|?(${HALVED})$`, 'u'), '两$1半'),
  rewrite(new RegExp(`^([一三四五六七八九十]+)点五\\|?(${HALVED})$`, 'u'), '$1$2半'),
  rewrite(/千克/u, '公斤'),
  rewrite(/公斤/u, '千克'),
  rewrite(new RegExp(`^(${NUMBER}(?:点${NUMBER})?)公里每小时`, 'u'), '时速$1公里', '每小时$1公里', '$1千米每小时'),
  rewrite(/公里(?=\||$)/u, '千米'),
  rewrite(/平方米/u, '平米'),
];
/** The yuan, not the dollar of a place: 港元. */
const YUAN = '(?<![港美欧日韩澳加])元';
const OF_MONEY: readonly Rewrite[] = [
  rewrite(/块(?=\||$)/u, '元', '块钱'),
  rewrite(new RegExp(`${YUAN}(?=\\||$)`, 'u'), '块', '块钱'),
  rewrite(new RegExp(`块(${DIGIT})(?=\\||$)`, 'u'), '块$1毛', '元$1角', '点$1元', '元$1', '点$1块'),
  rewrite(new RegExp(`块(${DIGIT})毛(${DIGIT})(?=\\||$)`, 'u'), '块$1毛$2分', '元$1角$2分', '点$1$2元', '块$1$2'),
  rewrite(/毛(?=\||$)/u, '角', '毛钱'),
];
const OF_DAYS: readonly Rewrite[] = [rewrite(/日(?=\||$)/u, '号'), rewrite(/号(?=\||$)/u, '日')];
const OF_TIMES: readonly Rewrite[] = [
  rewrite(/点(?=\||$)/u, '点整', '点钟'),
  rewrite(/点半/u, '点三十分'),
  rewrite(/点三十分?(?=\||$)/u, '点半'),
  rewrite(/分(?=\||$)/u, ''),
  rewrite(new RegExp(`点零(${DIGIT})分`, 'u'), '点$1分', '点过$1分'),
  rewrite(/点十五分?(?=\||$)/u, '点一刻'),
  rewrite(/点四十五分?(?=\||$)/u, '点三刻'),
  rewrite(/^上午/u, '早上', ''),
  rewrite(/^下午/u, ''),
  rewrite(/^晚上/u, ''),
  ...Array.from({ length: 12 }, (_, index) => {
    const next = hourInWords((index % 12) + 1);
    return rewrite(new RegExp(`^${hourInWords(index === 0 ? 12 : index)}点四十五分?(?=\\||$)`, 'u'), `差一刻${next}点`);
  }),
  ...Array.from({ length: 11 }, (_, index) => {
    const hour = hourInWords(index + 1);
    const halves = index + 1 < 6 ? ['下午'] : index + 1 === 6 ? ['下午', '晚上'] : ['晚上'];
    const later = halves.map((half) => `${half}${hour}点`);
    return rewrite(new RegExp(`^${integerInWords(String(index + 13))}点`, 'u'), `${hour}点`, ...later);
  }),
];

/**
 * The other usual ways to say a number that was written in digits: 二百 for 200, 八点一刻 for 8:15,
 * 一二三 for 幺二三. `next` is the word after it, or ''.
 */
export function mandarinNumberWordings(written: string, spokenForm: string, next: string): NumberWording[] {
  if (!/\d/u.test(written)) return [];
  const inOther = inOtherDigits(written, spokenForm, next).map((other) => other + NEXT + next);
  return reword([spokenForm + NEXT + next, ...inOther], [...ANYWHERE, ...rulesOf(written)]).map((form) => {
    const [number = '', after] = form.split(NEXT);
    const keepsNext = after === next;
    return { spokenForm: keepsNext ? number : number + (after ?? ''), takesNext: !keepsNext };
  });
}

function rulesOf(written: string): readonly Rewrite[] {
  if (/[$¥￥元块塊]/u.test(written)) return OF_MONEY;
  if (/月\d+[日号號]$/u.test(written)) return OF_DAYS;
  if (/\d[/.-]\d+$/u.test(written) && !/\.\d+$/u.test(written)) return OF_DAYS;
  return /:|[点點时時]|[ap]\.?m/iu.test(written) ? OF_TIMES : [];
}

/** Names (years, telephones, rooms, buses) digit by digit, with 一 or 幺, and as a number. */
function inOtherDigits(written: string, spokenForm: string, next: string): string[] {
  const inDigits = /^[零一二三四五六七八九幺]{3,}$/u.test(spokenForm)
    ? [spokenForm.replaceAll('幺', '一'), spokenForm.replaceAll('一', '幺')]
    : [];
  const [, digits = '', year = ''] = /^([1-9]\d{1,3})(年?)$/u.exec(written) ?? [];
  const isYear = year !== '' || next.startsWith('年');
  const isName = isYear ? digits.length !== 3 : digits.length > 2 && !isCounted('', next);
  if (!isName) return inDigits;
  const ones = isYear ? (['一'] as const) : (['一', '幺'] as const);
  return [...inDigits, integerInWords(digits) + year, ...ones.map((one) => digitByDigit(digits, one) + year)];
}

function hourInWords(hour: number): string {
  return hour === 2 ? '两' : integerInWords(String(hour));
}
