import { describe, expect, test } from 'vitest';
import { CONTEXTS, loadLetterRules, parseLetterRules, sayLetters } from './letter-to-sound.ts';

const rules = parseLetterRules(`
.a.\tAE1
.b.\tB
.c.\tK\tS
.c.e\tS
.e.\tEH1\t-
.e.#\t-
.t.\tT
.h.\tHH
t.h.\t-
.t.h\tTH
.x.\tK+S
`);
const say = (word: string) => sayLetters(word, rules).map((phones) => phones.join(' '));

describe('letters', () => {
  test.each([
    ['bat', ['B AE1 T']],
    ['bath', ['B AE1 TH']],
    ['ax', ['AE1 K S']],
    ['ace', ['AE1 S']],
    ['baaat', ['B AE1 T']],
    ['', []],
    ['q', []],
    ['7', []],
  ])('of %j: %j', (word, readings) => {
    expect(say(word)).toEqual(readings);
  });

  test('with two sounds give readings with both, the likelier first', () => {
    expect(say('bac')).toEqual(['B AE1 K', 'B AE1 S']);
    expect(say('bet')).toEqual(['B EH1 T', 'B T']);
  });

  test('give four readings at most', () => {
    expect(say('cbcbcb')).toHaveLength(4);
  });

  test('are read by the most specific rule', () => {
    expect(say('ce')[0]).toBe('S');
    expect(say('ca')[0]).toBe('K AE1');
  });
});

test('contexts mark the edges of a word', () => {
  expect(CONTEXTS.map((keyOf) => keyOf('cat', 0)).slice(0, 4)).toEqual(['.c.', '.c.a', '#.c.', '#.c.a']);
  expect(CONTEXTS.at(-1)!('cat', 1)).toBe('##c.a.t##');
});

test('the shipped rules read every word of letters', () => {
  const shipped = loadLetterRules();
  for (const word of ['kowloon', 'zzz', 'blorptastic', 'e', 'a'.repeat(40), 'qxj']) {
    const readings = sayLetters(word, shipped);
    expect([word, readings.length]).not.toEqual([word, 0]);
    for (const phones of readings) for (const phone of phones) expect(phone).toMatch(/^[A-Z]{1,2}[012]?$/);
  }
});
