import { expect, test } from 'vitest';
import {
  JYUTPING_ONSETS,
  JYUTPING_RIMES,
  formatSyllable,
  isSyllable,
  normalizeSyllable,
  parseSyllable,
  pronunciationVariants,
} from './jyutping.ts';

test('a syllable is parsed into onset, rime and tone', () => {
  expect(parseSyllable('gwong2')).toEqual({ onset: 'gw', rime: 'ong', tone: 2 });
  expect(parseSyllable('aa3')).toEqual({ onset: '', rime: 'aa', tone: 3 });
  expect(parseSyllable('ngo5')).toEqual({ onset: 'ng', rime: 'o', tone: 5 });
  expect(parseSyllable('jyut6')).toEqual({ onset: 'j', rime: 'yut', tone: 6 });
});

test('syllabic m and ng are rimes', () => {
  expect(parseSyllable('m4')).toEqual({ onset: '', rime: 'm', tone: 4 });
  expect(parseSyllable('ng5')).toEqual({ onset: '', rime: 'ng', tone: 5 });
  expect(parseSyllable('hm2')).toEqual({ onset: 'h', rime: 'm', tone: 2 });
});

test('a text that is no syllable gives null', () => {
  const texts = ['', '3', 'aa', 'aa0', 'aa7', 'xing1', 'hoeng1 gong2', 'bm4', 'Gwong2', '香1', 'hoeng1\n'];
  expect(texts.filter(isSyllable)).toEqual([]);
});

test('every onset with every rime is the same after parsing and formatting', () => {
  const rimes = JYUTPING_RIMES.filter((name) => name !== 'm' && name !== 'ng');
  const texts = ['', ...JYUTPING_ONSETS].flatMap((onset) => rimes.map((rime) => `${onset}${rime}4`));
  const again = texts.map((text) => {
    const parsed = parseSyllable(text);
    return parsed === null ? text + ' is none' : formatSyllable(parsed);
  });
  expect(again).toEqual(texts);
});

test('spellings of one sound are normalized to one', () => {
  expect(normalizeSyllable(' La1 ')).toBe('laa1');
  expect(normalizeSyllable('a3')).toBe('aa3');
  expect(normalizeSyllable('gwa2')).toBe('gwaa2');
  expect(normalizeSyllable('lam1')).toBe('lam1');
  expect(normalizeSyllable('hello')).toBeNull();
});

test('merged sounds are variants both ways, and others are not', () => {
  expect(pronunciationVariants('nei5')).toEqual(['lei5']);
  expect(pronunciationVariants('lei5')).toEqual(['nei5']);
  expect(pronunciationVariants('ngo5')).toEqual(['o5']);
  expect(pronunciationVariants('oi3')).toEqual(['ngoi3']);
  expect(pronunciationVariants('gwok3')).toEqual(['gok3']);
  expect(pronunciationVariants('gong2')).toEqual(['gwong2']);
  expect(pronunciationVariants('ng5')).toEqual(['m5']);
  expect(pronunciationVariants('jyu1')).toEqual([]);
  expect(pronunciationVariants('saam1')).toEqual([]);
  expect(pronunciationVariants('nonsense')).toEqual([]);
});
