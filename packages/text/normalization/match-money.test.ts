import { describe, expect, test } from 'vitest';
import { valueOf } from './numerals.ts';
import { tokenizePiece } from './tokenize.ts';

function moneyIn(text: string): string | null {
  const token = tokenizePiece(text, 'cantonese').tokens.find(({ token: { kind } }) => kind === 'money')?.token;
  return token?.kind === 'money' ? `${valueOf(token.value)} ${token.currency}${token.unit}` : null;
}

describe('an amount after its currency', () => {
  test.each([
    ['$12', '12 dollar'],
    ['$12.50', '12.5 dollar'],
    ['$.50', '0.5 dollar'],
    ['$ 12', '12 dollar'],
    ['＄１２', '12 dollar'],
    ['$1,234,567.89', '1234567.89 dollar'],
    ['-$5', '-5 dollar'],
    ['$-5', '-5 dollar'],
    ['HK$12.50', '12.5 HKD'],
    ['HKD 100', '100 HKD'],
    ['HKD$100', '100 HKD'],
    ['US$5', '5 USD'],
    ['USD5', '5 USD'],
    ['RMB 100', '100 CNY'],
    ['RMB¥100', '100 CNY'],
    ['CN¥100', '100 CNY'],
    ['NT$300', '300 TWD'],
    ['MOP$20', '20 MOP'],
    ['A$1', '1 AUD'],
    ['AU$1', '1 AUD'],
    ['C$1', '1 CAD'],
    ['CA$1', '1 CAD'],
    ['S$1', '1 SGD'],
    ['€3', '3 EUR'],
    ['£3.20', '3.2 GBP'],
    ['¥980', '980 JPY'],
    ['￥980', '980 JPY'],
    ['JP¥980', '980 JPY'],
    ['₩5000', '5000 KRW'],
    ['฿70', '70 THB'],
    ['₹100', '100 INR'],
    ['₱80', '80 PHP'],
    ['₫9', '9 VND'],
    ['₽9', '9 RUB'],
  ])('%s is %s', (text, money) => {
    expect(moneyIn(text)).toBe(money);
  });

  test.each([
    ['$15K', 15_000],
    ['$15k', 15_000],
    ['$5m', 5_000_000],
    ['$5mn', 5_000_000],
    ['$2.5bn', 2_500_000_000],
    ['$2B', 2_000_000_000],
    ['$3萬', 30_000],
    ['$3.5億', 350_000_000],
    ['$5 million', 5_000_000],
    ['US$1 trillion', 1_000_000_000_000],
  ])('%s is %i', (text, amount) => {
    expect(Number(moneyIn(text)?.split(' ')[0])).toBe(amount);
  });

  test('a unit written twice is one amount', () => {
    expect(tokenizePiece('$5蚊', 'cantonese').tokens).toHaveLength(1);
    expect(tokenizePiece('$5元', 'cantonese').tokens).toHaveLength(1);
  });
});

describe('an amount before its currency', () => {
  test.each([
    ['12蚊', '12 dollar蚊'],
    ['5元', '5 dollar元'],
    ['5 元', '5 dollar元'],
    ['1000円', '1000 JPY円'],
    ['3.5億元', '350000000 dollar元'],
    ['100 HKD', '100 HKD'],
    ['20€', '20 EUR'],
    ['20 EUR', '20 EUR'],
    ['50 USD', '50 USD'],
    ['300 RMB', '300 CNY'],
  ])('%s is %s', (text, money) => {
    expect(moneyIn(text)).toBe(money);
  });
});

describe('no money', () => {
  test.each([
    ['$', 'no amount'],
    ['HK$', 'no amount'],
    ['$abc', 'no amount'],
    ['HKD rate', 'no amount'],
    ['3元素', 'chemical elements'],
    ['1元旦', 'the New Year'],
    ['5 EUROPE', 'a word'],
    ['usd 5', 'small letters'],
    ['XUSD5', 'within a word'],
    ['12', 'no currency'],
  ])('%s: %s', (text) => {
    expect(moneyIn(text)).toBeNull();
  });
});

test('a currency in a longer name keeps the longest notation', () => {
  expect(tokenizePiece('HK$5', 'cantonese').tokens[0]?.token.text).toBe('HK$5');
  expect(tokenizePiece('CA$5', 'cantonese').tokens[0]?.token.text).toBe('CA$5');
});
