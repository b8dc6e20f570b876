import { FURTHER_CURRENCIES } from './further-currencies.ts';
import type { Currency, Token } from './tokens.ts';
import { numeralAt } from './numerals.ts';
import { isTouching, tokenAt, matchAt, type TextCursor } from './text-cursor.ts';

/** Codes of currencies that are more often something else in capitals: only their signs count. */
const WORDS: ReadonlySet<string> = new Set(['TRY', 'ILS', 'CRC', 'GEL', 'LAK', 'MNT', 'CLP', 'RON', 'SAR', 'ARS']);

/** Notations of currencies before or after an amount; letters in upper case only. */
// prettier-ignore
const WRITTEN: Readonly<Record<string, Currency>> = {
  'HK$': 'HKD', HKD$: 'HKD', HKD: 'HKD', 'US$': 'USD', USD$: 'USD', USD: 'USD', 'CN¥': 'CNY', RMB: 'CNY', CNY: 'CNY', 'RMB¥': 'CNY',
  'NT$': 'TWD', NTD: 'TWD', TWD: 'TWD', 'MOP$': 'MOP', MOP: 'MOP', 'A$': 'AUD', 'AU$': 'AUD', AUD: 'AUD', 'C$': 'CAD', 'CA$': 'CAD', CAD: 'CAD',
  'S$': 'SGD', SGD: 'SGD', '€': 'EUR', EUR: 'EUR', '£': 'GBP', GBP: 'GBP', '¥': 'JPY', 'JP¥': 'JPY', JPY: 'JPY', '₩': 'KRW', KRW: 'KRW',
  '฿': 'THB', THB: 'THB', '₹': 'INR', '₨': 'INR', INR: 'INR', '₱': 'PHP', '₫': 'VND', VND: 'VND', '₽': 'RUB', '$': 'dollar',
  '₺': 'TRY', '₴': 'UAH', '₦': 'NGN', '₪': 'ILS', '₸': 'KZT', 'R$': 'BRL', 'NZ$': 'NZD', Rp: 'IDR', 'zł': 'PLN', 'Kč': 'CZK', '৳': 'BDT', '₵': 'GHS', '₭': 'LAK', '៛': 'KHR', '₼': 'AZN', '₾': 'GEL', '₲': 'PYG', '₡': 'CRC', '₮': 'MNT',
  ...(Object.fromEntries(FURTHER_CURRENCIES.filter((code) => !WORDS.has(code)).map((code) => [code, code])) as Partial<Record<string, Currency>>),
};
const escape = (text: string) => text.replaceAll('$', '\\$');
const ANY = Object.keys(WRITTEN)
  .toSorted((a, b) => b.length - a.length)
  .map(escape)
  .join('|');
const BEFORE = new RegExp(`([+-]?)(${ANY}) ?(?=[\\d.+-])`, 'y');
/** The ringgit, unlike a room: RM45, RM1,200.50, but RM1203. */
const RINGGIT = /RM(?=\d{1,2}(?!\d)|\d*0(?![\d.])|\d+\.\d\d(?!\d)|\d{1,3}(?:,\d{3})+)(?!\d+,? ?\d{1,2}\/F)/y;
const AFTER = new RegExp(` ?(${ANY})(?![\\p{Script=Latin}\\d])`, 'uy');
const CHINESE_UNIT = / ?(蚊|元(?!朗)|円)(?!素|旦)/uy;
/** Names of currencies behind an amount that has its sign: ¥3,000日圓, $5美元, ¥50人民幣. */
const NAMES: readonly (readonly [Currency, RegExp])[] = [
  ['JPY', / ?日[圓圆元円]/uy],
  ['USD', / ?美[金元]/uy],
  ['HKD', / ?港[幣币元紙纸]/uy],
  ['EUR', / ?[歐欧]元/uy],
  ['GBP', / ?英[鎊镑]/uy],
  ['TWD', / ?新?[台臺][幣币]/uy],
  ['CNY', / ?人民[幣币]/uy],
];

/** Matches an amount after its currency: HK$12.50, RMB 100, $3萬. */
export function matchMoney(source: TextCursor): Token | null {
  if (/[A-Z]/.test(source.text.charAt(source.at)) && isTouching(source)) return null;
  const before = matchAt(BEFORE, source.text, source.at);
  const ringgit = before === null ? matchAt(RINGGIT, source.text, source.at) : null;
  const [whole, sign = '', written = ''] = before ?? (ringgit === null ? [] : ['RM', '', 'MYR']);
  if (whole === undefined) return null;
  const amount = numeralAt(source.text, source.at + whole.length, { isMoney: true });
  const bySign = WRITTEN[written];
  if (amount === null || bySign === undefined) return null;
  const value = sign === '-' || sign === '+' ? ({ ...amount.value, sign } as const) : amount.value;
  const length = whole.length + amount.length;
  const named = nameAt(source.text, source.at + length);
  const isNamed =
    named !== null &&
    (named.currency === bySign || (/[$¥]/.test(written) && written.length === 1 && named.currency !== 'HKD'));
  // $5元 and $5蚊 have the unit twice.
  const doubled = isNamed ? named : matchAt(CHINESE_UNIT, source.text, source.at + length)?.[0];
  const currency = isNamed ? named.currency : bySign;
  return tokenAt(source, length + (doubled?.length ?? 0), { kind: 'money', currency, value, unit: '' });
}

/** The name of a currency at a place of a text, and its length; null: none. */
function nameAt(text: string, at: number): { currency: Currency; length: number } | null {
  for (const [currency, pattern] of NAMES) {
    const match = matchAt(pattern, text, at);
    if (match !== null) return { currency, length: match[0].length };
  }
  return null;
}

/** Matches an amount before its currency: 12蚊, 5元, 100 HKD, 20€. */
export function matchMoneyAfter(source: TextCursor): Token | null {
  const amount = numeralAt(source.text, source.at, { isMoney: false });
  if (amount === null) return null;
  const end = source.at + amount.length;
  const chinese = matchAt(CHINESE_UNIT, source.text, end);
  if (chinese !== null) {
    const [whole, unit = ''] = chinese;
    const value = amount.value.fraction === '00' ? { ...amount.value, fraction: null } : amount.value;
    const meaning = { kind: 'money', currency: unit === '円' ? 'JPY' : 'dollar', value, unit } as const;
    return tokenAt(source, amount.length + whole.length, meaning);
  }
  const after = matchAt(AFTER, source.text, end);
  const currency = WRITTEN[after?.[1] ?? ''];
  if (after === null || currency === undefined) return null;
  return tokenAt(source, amount.length + after[0].length, { kind: 'money', currency, value: amount.value, unit: '' });
}
