import type { Currency, Token, Numeral } from '#text/normalization/tokens.ts';
import { amountInWords, digitByDigit, integerInWords } from './numerals.ts';
import { currencyName } from './unit-names.ts';

type MoneyToken = Extract<Token, { kind: 'money' }>;

/** Reads an amount of money as shops say it: 十二蚊, 十二個半, 五美元. */
export function verbalizeMoney({ currency, value, unit }: MoneyToken): string {
  const sign = value.sign === '-' ? '負' : value.sign === '+' ? '加' : '';
  if (unit === '元' || unit === '円') return sign + counted(value) + (unit === '元' ? '元' : '日圓');
  return sign + (isLocal(currency) ? localAmount(value) : counted(value) + currencyName(currency));
}

/**
 * Reads an amount without its unit, which the second of two amounts has: 一百 in 一百至二百蚊. Null for an
 * amount that needs its unit (個半).
 */
export function moneyWithoutUnit({ value }: MoneyToken): string | null {
  return value.fraction === null || value.scale !== null ? amountInWords(value) : null;
}

function isLocal(currency: Currency): currency is 'dollar' | 'HKD' {
  return currency === 'dollar' || currency === 'HKD';
}

function counted(value: Numeral): string {
  return value.digits === '2' && value.fraction === null ? `兩${amountInWords(value).slice(1)}` : amountInWords(value);
}

/**
 * $12.5 is 十二個半 and $4.3 四個三 (個 stands for the dollar), $0.5 is 五毫; odd cents are read as decimals:
 * 十二點三五蚊.
 */
function localAmount(value: Numeral): string {
  const { digits, fraction, scale } = value;
  const cents = (fraction ?? '').replace(/0+$/, '');
  if (scale !== null || cents === '') {
    return `${counted(scale === null ? { ...value, fraction: null } : value)}蚊`;
  }
  if (cents.length > 1) return `${integerInWords(digits)}點${digitByDigit(cents)}蚊`;
  const tens = cents === '5' ? '半' : digitByDigit(cents);
  if (/^0+$/.test(digits)) return `${cents === '2' ? '兩' : digitByDigit(cents)}毫`;
  const dollars = digits === '1' ? '' : digits === '2' ? '兩' : integerInWords(digits);
  return `${dollars}個${tens}`;
}
