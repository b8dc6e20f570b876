import { Converter } from 'opencc-js/cn2t';
import { expect, test } from 'vitest';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { HONG_KONG_SENTENCES } from '#test/hong-kong-sentences.ts';
import { toHongKong, toHongKongEach, toSimplified, toSimplifiedEach, usualHongKongForms } from './convert-script.ts';

const countRight = (convert: (text: string) => string): number =>
  HONG_KONG_SENTENCES.filter(([recognized, written]) => convert(recognized) === written).length;

test.each(HONG_KONG_SENTENCES)('%s is written %s', (recognized, written) => {
  expect(toHongKong(recognized)).toBe(written);
});

test('a general converter gets half of these sentences right, the spelling rules all', () => {
  const general = Converter({ from: 'cn', to: 'hk' });
  expect(HONG_KONG_SENTENCES.length).toBeGreaterThanOrEqual(150);
  expect(countRight(general) / HONG_KONG_SENTENCES.length).toBeLessThan(0.55);
  expect(countRight(toHongKong)).toBe(HONG_KONG_SENTENCES.length);
});

test('correct spelling stays unchanged', () => {
  const changed = HONG_KONG_SENTENCES.filter(([, written]) => usualHongKongForms(written) !== written);
  expect(changed).toEqual([]);
});

test('every character gives exactly one', () => {
  const hostile = [
    '',
    ' ',
    'D',
    '系',
    '系系系系',
    '左左左',
    '𨋢𡃁系𠮶',
    'a\u0301系',
    '👩‍👩‍👧系咁',
    '\u0000系\uFFFD',
    '\uD800系',
    '系'.repeat(5_000),
  ];
  for (const text of [...hostile, ...HONG_KONG_SENTENCES.map(([recognized]) => recognized)]) {
    expect([...toHongKong(text)].length).toBe([...text].length);
    expect([...toSimplified(text)].length).toBe([...text].length);
  }
});

test('pieces with times keep their positions', () => {
  expect(toHongKongEach(['我', '系', 'Hong Kong', '人', '', '呀'])).toEqual(['我', '係', 'Hong Kong', '人', '', '呀']);
  expect(toHongKongEach(['食', '左', '饭'])).toEqual(['食', '咗', '飯']);
  expect(toHongKongEach(['头发', '𨋢', '里', '面'])).toEqual(['頭髮', '𨋢', '裏', '面']);
  expect(toHongKongEach([])).toEqual([]);
});

test('a reading decides what spelling leaves open', () => {
  expect(toHongKongEach(['佢', '系', '海', '边'], ['keoi5', 'hai2', 'hoi2', 'bin1']).join('')).toBe('佢喺海邊');
  expect(toHongKongEach(['佢', '系', '海', '边'], ['keoi5', 'hai6', 'hoi2', 'bin1']).join('')).toBe('佢係海邊');
  expect(toHongKongEach(['咁', '大'], ['gam3', 'daai6']).join('')).toBe('咁大');
});

test('Traditional of any region becomes Simplified', () => {
  expect(toSimplified('臺灣的頭髮乾淨，裡面著火')).toBe('台湾的头发干净，里面着火');
  expect(toSimplifiedEach(['後', '面', 'OK'])).toEqual(['后', '面', 'OK']);
});

test('a long sentence takes little time', () => {
  const text = HONG_KONG_SENTENCES.map(([recognized]) => recognized)
    .join('')
    .repeat(10);
  const startedMs = cpuTimeMs();
  toHongKong(text);
  expect(cpuTimeMs() - startedMs).toBeLessThan(5_000);
});
