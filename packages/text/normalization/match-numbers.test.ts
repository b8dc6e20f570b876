import { describe, expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { valueOf } from './numerals.ts';
import { tokenizePiece } from './tokenize.ts';
import type { Token, TokenKind } from './tokens.ts';

const firstOf = (text: string, language: Language = 'cantonese') => tokenizePiece(text, language).tokens[0]?.token;
const find = <Kind extends TokenKind>(kind: Kind, text: string, language: Language = 'cantonese') =>
  tokenizePiece(text, language).tokens.find(({ token }) => token.kind === kind)?.token as
    | Extract<Token, { kind: Kind }>
    | undefined;

describe('a quantity', () => {
  test.each([
    ['5km', 5, 'km'],
    ['5 km', 5, 'km'],
    ['5KM', 5, 'km'],
    ['1.5kg', 1.5, 'kg'],
    ['5㎏', 5, 'kg'],
    ['500ml', 500, 'mL'],
    ['500cc', 500, 'mL'],
    ['2L', 2, 'L'],
    ['100m²', 100, 'm²'],
    ['100m2', 100, 'm²'],
    ['100m^2', 100, 'm²'],
    ['100㎡', 100, 'm²'],
    ['600sqft', 600, 'ft²'],
    ['3m³', 3, 'm³'],
    ['80km/h', 80, 'km/h'],
    ['80kmh', 80, 'km/h'],
    ['10m/s', 10, 'm/s'],
    ['60mph', 60, 'mph'],
    ['16GB', 16, 'GB'],
    ['16gb', 16, 'GB'],
    ['1TB', 1, 'TB'],
    ['100Mbps', 100, 'Mbps'],
    ['50Hz', 50, 'Hz'],
    ['2.4GHz', 2.4, 'GHz'],
    ['220V', 220, 'V'],
    ['60W', 60, 'W'],
    ['5000mAh', 5000, 'mAh'],
    ['300kcal', 300, 'kcal'],
    ['1013hPa', 1013, 'hPa'],
    ['85dB', 85, 'dB'],
    ['90°', 90, '°'],
    ['20ms', 20, 'ms'],
    ['30s', 30, 's'],
    ['45min', 45, 'min'],
    ['45mins', 45, 'min'],
    ['2h', 2, 'h'],
    ['3hrs', 3, 'h'],
    ['6ft', 6, 'ft'],
    ['27in', 27, 'in'],
    ['27″', 27, 'in'],
    ['5μm', 5, 'μm'],
    ['5um', 5, 'μm'],
    ['250mcg', 250, 'μg'],
    ['-5m', -5, 'm'],
    ['1,000m', 1000, 'm'],
    ['120bpm', 120, 'bpm'],
    ['60fps', 60, 'fps'],
  ])('%s is %d %s', (text, amount, unit) => {
    const token = find('quantity', text);
    expect(token?.unit).toBe(unit);
    expect(valueOf(token!.value)).toBe(amount);
  });

  test.each([
    ['5 minutes', 'a word'],
    ['5 in a row', 'a word'],
    ['3 s', 'a letter'],
    ['5A', 'a class'],
    ['100B', 'a block'],
    ['5G', 'a network'],
    ['5kgx', 'a word'],
    ['5km2x', 'a word'],
  ])('%s is none: %s', (text) => {
    expect(find('quantity', text)).toBeUndefined();
  });

  test.each([
    ['2h30m', ['2 h', '30 min']],
    ['2h30', ['2 h', '30 min']],
    ['2h05', ['2 h', '5 min']],
    ['5m30s', ['5 min', '30 s']],
    ['1h30min', ['1 h', '30 min']],
  ])('the duration %s has two', (text, parts) => {
    const tokens = tokenizePiece(text, 'cantonese').tokens.flatMap(({ token }) =>
      token.kind === 'quantity' ? [`${valueOf(token.value)} ${token.unit}`] : [],
    );
    expect(tokens).toEqual(parts);
  });
});

describe('percent and temperature', () => {
  test.each([
    ['50%', 50, 100],
    ['50 %', 50, 100],
    ['５０％', 50, 100],
    ['-3.5%', -3.5, 100],
    ['3‰', 3, 1000],
    ['0%', 0, 100],
  ])('%s is %d per %i', (text, value, per) => {
    const token = find('percent', text);
    expect(token?.per).toBe(per);
    expect(valueOf(token!.value)).toBe(value);
  });

  test.each([
    ['25°C', 25, 'C'],
    ['25 °C', 25, 'C'],
    ['25º C', 25, 'C'],
    ['25˚C', 25, 'C'],
    ['25℃', 25, 'C'],
    ['-5°C', -5, 'C'],
    ['98.6°F', 98.6, 'F'],
    ['98.6℉', 98.6, 'F'],
  ])('%s is %d degrees %s', (text, value, scale) => {
    const token = find('temperature', text);
    expect(token?.scale).toBe(scale);
    expect(valueOf(token!.value)).toBe(value);
  });

  test('25C is a class, 25°CD no temperature', () => {
    expect(find('temperature', '25C')).toBeUndefined();
    expect(find('temperature', '25°CD')).toBeUndefined();
  });
});

describe('an ordinal', () => {
  test.each([
    ['1st', '1'],
    ['2nd', '2'],
    ['3rd', '3'],
    ['4th', '4'],
    ['11th', '11'],
    ['22ND', '22'],
    ['1,000th', '1000'],
  ])('%s', (text, digits) => {
    expect(find('ordinal', text, 'english')?.value.digits).toBe(digits);
  });

  test.each(['1sta', '1s', 'th', '1 st', '1thing'])('%s is none', (text) => {
    expect(find('ordinal', text, 'english')).toBeUndefined();
  });
});

describe('a fraction', () => {
  test.each([
    ['1/2', null, '1', '2'],
    ['3/4', null, '3', '4'],
    ['2 1/2', '2', '1', '2'],
    ['½', null, '1', '2'],
    ['2½', '2', '1', '2'],
    ['⅞', null, '7', '8'],
    ['⅔', null, '2', '3'],
    ['1/100', null, '1', '100'],
  ])('%s', (text, whole, numerator, denominator) => {
    expect(find('fraction', text)).toMatchObject({ whole, numerator, denominator });
  });

  test.each([
    ['24/7', 'all day, every day'],
    ['1/0', 'no number'],
    ['120/80', 'a blood pressure'],
    ['1/2/3', 'a list'],
    ['5/F', 'a floor'],
    ['A1/2', 'a code'],
  ])('%s is none: %s', (text) => {
    expect(find('fraction', text)).toBeUndefined();
  });

  test('a whole number before an improper fraction is a number of its own', () => {
    expect(find('fraction', '2 5/4')?.whole).not.toBe('2');
  });
});

describe('a version', () => {
  test.each([
    ['v1.2', ['1', '2'], true],
    ['V1.2.3', ['1', '2', '3'], true],
    ['V2.0', ['2', '0'], true],
    ['v3', ['3'], true],
    ['v. 2.0', ['2', '0'], true],
    ['1.2.3', ['1', '2', '3'], false],
    ['3.10.1b', ['3', '10', '1b'], false],
    ['192.168.0.1', ['192', '168', '0', '1'], false],
  ])('%s', (text, parts, hasV) => {
    expect(find('version', text, 'english')).toMatchObject({ parts, hasV });
  });

  test.each(['1.2', '1.2.', 'view', 'v', 'V8', '1..2', '12345.1.2'])('%s is none', (text) => {
    expect(find('version', text, 'english')).toBeUndefined();
  });
});

describe('a plain number of four digits', () => {
  test.each([
    ['喺1997。', 'cantonese', 'year'],
    ['2024奧運', 'cantonese', 'year'],
    ['2024', 'cantonese', 'year'],
    ['2024個', 'cantonese', 'number'],
    ['2000', 'cantonese', 'number'],
    ['1899', 'cantonese', 'number'],
    ['2100', 'cantonese', 'number'],
    ['1,997', 'cantonese', 'number'],
    ['in 1492', 'english', 'year'],
    ['1997.', 'english', 'year'],
    ['in 1500 people', 'english', 'number'],
    ['1997 people', 'english', 'number'],
    ['1492', 'english', 'number'],
    ['in 1066', 'english', 'number'],
  ] as const)('of %j in %s is a %s', (text, language, kind) => {
    const token = tokenizePiece(text, language).tokens.find(({ token }) => /\d/.test(token.text))?.token;
    expect(token?.kind).toBe(kind);
  });
});

test('a sign belongs to a number except between numbers', () => {
  expect(firstOf('-5')).toMatchObject({ kind: 'number', value: { sign: '-', digits: '5' } });
  expect(firstOf('+5')).toMatchObject({ kind: 'number', value: { sign: '+', digits: '5' } });
  expect(tokenizePiece('5+3', 'cantonese').tokens.map(({ token }) => token.kind)).toEqual([
    'number',
    'symbol',
    'number',
  ]);
  expect(firstOf('.5')).toMatchObject({ kind: 'number', value: { digits: '0', fraction: '5' } });
});

test.each([
  ['①', '1'],
  ['⑳', '20'],
  ['⓪', '0'],
  ['❶', '1'],
  ['➓', '10'],
  ['⑷', '4'],
  ['㉑', '21'],
  ['㊿', '50'],
  ['㊀', '1'],
  ['⓫', '11'],
])('the sign %s is the number %s', (sign, digits) => {
  expect(firstOf(sign)).toMatchObject({ kind: 'number', value: { digits } });
});

test('a number of five thousand digits becomes tokens that together are the text', () => {
  const text = '7'.repeat(5_000);
  const { tokens } = tokenizePiece(text, 'cantonese');
  expect(tokens.map(({ token }) => token.text).join('')).toBe(text);
  expect(Math.max(...tokens.map(({ token }) => token.text.length))).toBeLessThanOrEqual(400);
});
