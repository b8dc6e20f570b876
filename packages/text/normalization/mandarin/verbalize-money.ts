import type { Token } from '#text/normalization/tokens.ts';
import { digitByDigit, numeralInWords, integerInWords, signOf } from './chinese-numbers.ts';
import { currencyWord } from './mandarin-units.ts';

/** Reads a price: 十二块五, 五元 of $5, 四十五块, 三千元, 五美元, 三点五亿元. A written Chinese unit stays (5元 → 五元). */
export function verbalizeMoney(token: Extract<Token, { kind: 'money' }>): string {
  const { text, currency, value, unit } = token;
  if (value.sign === '+') return `加${verbalizeMoney({ ...token, value: { ...value, sign: '' } })}`;
  // In Mandarin text, ¥ is the yuan.
  const impliedCurrency = currency === 'JPY' && text.includes('¥') && !/JP/.test(text) ? 'CNY' : currency;
  // A dollar of any country is 元; 块 is the yuan.
  const isYuan = impliedCurrency === 'CNY' || (impliedCurrency === 'dollar' && !text.includes('$'));
  if (unit !== '' && unit !== '蚊') return numeralInWords(value, { counts: true }) + (unit === '円' ? '日元' : unit);
  const { digits, fraction, scale, isGrouped } = value;
  const hasCents = fraction !== null && fraction.length <= 2 && scale === null;
  const isSmall = digits.length <= 3 && scale === null && !isGrouped;
  if (isYuan && hasCents) return signOf(value) + verbalizeCents(digits, fraction.padEnd(2, '0'));
  if (isYuan && isSmall && fraction === null) return `${numeralInWords(value, { counts: true })}块`;
  const short = hasCents ? fraction.replace(/0+$/, '') : fraction;
  return (
    numeralInWords({ ...value, fraction: short === '' ? null : short }, { counts: true }) +
    currencyWord(impliedCurrency)
  );
}

const verbalizeCoins = (digit: string) => (digit === '2' ? '两' : digitByDigit(digit));

/** Reads a price with cents: 十二块五, 三块二毛五, 十二块零五分, 五毛. */
function verbalizeCents(digits: string, cents: string): string {
  const yuan = Number(digits) === 0 ? '' : `${digits === '2' ? '两' : integerInWords(digits)}块`;
  const [mao = '0', fen = '0'] = cents;
  if (cents === '00') return yuan === '' ? '零块' : yuan;
  if (yuan === '')
    return (mao === '0' ? '' : `${verbalizeCoins(mao)}毛`) + (fen === '0' ? '' : `${verbalizeCoins(fen)}分`);
  if (fen === '0') return yuan + digitByDigit(mao);
  return mao === '0' ? `${yuan}零${digitByDigit(fen)}分` : `${yuan}${digitByDigit(mao)}毛${digitByDigit(fen)}`;
}
