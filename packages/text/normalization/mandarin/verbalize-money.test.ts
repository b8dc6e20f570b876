import { expect, it } from 'vitest';
import type { Currency } from '#text/normalization/tokens.ts';
import { verbalizeMoney } from './verbalize-money.ts';

type Price = { text?: string; unit?: string; sign?: '-' | ''; isGrouped?: boolean };

function spoken(
  currency: Currency,
  amount: string,
  { text = '', unit = '', sign = '', isGrouped = false }: Price = {},
) {
  const [digits = '', fraction = null] = amount.split('.');
  const value = { sign, digits, fraction, scale: null, isGrouped };
  return verbalizeMoney({ kind: 'money', text, currency, unit, value });
}

it.each([
  ['0', '零块'],
  ['2', '两块'],
  ['12', '十二块'],
  ['45', '四十五块'],
  ['200', '两百块'],
  ['3000', '三千元'],
  ['0.00', '零块'],
  ['0.5', '五毛'],
  ['0.20', '两毛'],
  ['0.05', '五分'],
  ['0.02', '两分'],
  ['0.25', '两毛五分'],
  ['2.00', '两块'],
  ['2.5', '两块五'],
  ['12.5', '十二块五'],
  ['12.50', '十二块五'],
  ['3.25', '三块二毛五'],
  ['12.05', '十二块零五分'],
  ['1.234', '一点二三四元'],
])('¥%s is %s', (amount, words) => {
  expect(spoken('CNY', amount)).toBe(words);
  expect(spoken('dollar', amount)).toBe(words);
});

it.each<[Currency, string, string]>([
  ['USD', '5', '五美元'],
  ['USD', '2', '两美元'],
  ['USD', '2.00', '两美元'],
  ['USD', '2.50', '二点五美元'],
  ['EUR', '0.05', '零点零五欧元'],
  ['HKD', '12', '十二港元'],
  ['GBP', '1.234', '一点二三四英镑'],
])('%s %s is %s', (currency, amount, words) => {
  expect(spoken(currency, amount)).toBe(words);
});

it('takes ¥ for the yuan unless Japan is named', () => {
  expect(spoken('JPY', '500', { text: '¥500' })).toBe('五百块');
  expect(spoken('JPY', '500', { text: 'JP¥500' })).toBe('五百日元');
  expect(spoken('JPY', '500', { text: '500 JPY' })).toBe('五百日元');
});

it('keeps a written unit', () => {
  expect(spoken('CNY', '5', { unit: '元' })).toBe('五元');
  expect(spoken('CNY', '2', { unit: '元' })).toBe('两元');
  expect(spoken('CNY', '2.5', { unit: '元' })).toBe('二点五元');
  expect(spoken('JPY', '100', { unit: '円' })).toBe('一百日元');
});

it('reads long and grouped amounts with 元, and the sign first', () => {
  expect(spoken('CNY', '3000', { isGrouped: true })).toBe('三千元');
  expect(spoken('CNY', '5.5', { sign: '-' })).toBe('负五块五');
  expect(spoken('CNY', '5', { sign: '-' })).toBe('负五块');
});
