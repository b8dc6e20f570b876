import { describe, expect, test } from 'vitest';
import { UNITS, type Unit } from './tokens.ts';
import { unitAt } from './units.ts';
import { UNIT_NAMES } from './cantonese/unit-names.ts';
import { UNIT_WORDS as ENGLISH } from './english/english-units.ts';
import { UNIT_WORDS as MANDARIN, WORDS_BEFORE } from './mandarin/mandarin-units.ts';

describe('the unit at a position', () => {
  test.each([
    ['km', 'km', 2],
    [' km', 'km', 3],
    ['km/h', 'km/h', 4],
    ['km²', 'km²', 3],
    ['kms', 'km', 3],
    ['m', 'm', 1],
    ['m個', 'm', 1],
    ['m/s', 'm/s', 3],
    ['㎜', 'mm', 1],
    ['cc', 'mL', 2],
    ['hrs', 'h', 3],
    ['km/hr', 'km/h', 5],
    ['°', '°', 1],
  ])('of %j is %s', (text, unit, length) => {
    expect(unitAt(text, 0)).toEqual({ unit, length });
  });

  test.each(['', ' ', 'x', 'kmx', 'm5', '  km', 'minute', ' in', ' s', ' V', ' W', 'Ж', '公里', 'M'])(
    'of %j is none',
    (text) => {
      expect(unitAt(text, 0)).toBeNull();
    },
  );

  test('is read at the position, not before it', () => {
    expect(unitAt('5kg', 1)).toEqual({ unit: 'kg', length: 2 });
    expect(unitAt('5kg', 2)).toEqual({ unit: 'g', length: 1 });
    expect(unitAt('5kg', 3)).toBeNull();
    expect(unitAt('5kg', 99)).toBeNull();
  });
});

describe('every unit', () => {
  test('has its own name in each language', () => {
    // Minutes and seconds are parts of hours and of degrees.
    const units = UNITS.filter((unit) => unit !== '′' && unit !== '″');
    for (const nameOf of [
      (unit: Unit) => ENGLISH[unit],
      (unit: Unit) => (WORDS_BEFORE[unit] ?? '') + MANDARIN[unit],
      (unit: Unit) => UNIT_NAMES[unit],
    ]) {
      expect(new Set(units.map((unit) => JSON.stringify(nameOf(unit)))).size).toBe(units.length);
    }
  });

  test('has names without digits and signs', () => {
    for (const unit of UNITS) {
      const { before = '', after = '', letters = '' } = UNIT_NAMES[unit] as Record<string, string | undefined>;
      expect([unit, before + after + letters]).not.toContain('');
      expect(before + after).toMatch(/^\p{Script=Han}*$/u);
      expect(letters).toMatch(/^(?:[A-Z]|[A-Z][a-z]+| )*$/);
      expect(MANDARIN[unit]).toMatch(/^\p{Script=Han}+$/u);
      for (const word of ENGLISH[unit]) expect(word).toMatch(/^[a-z ]+$/);
    }
  });
});
