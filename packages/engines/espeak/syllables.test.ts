import { describe, expect, test } from 'vitest';
import type { SourceSpeech, SourceVoice } from './espeak-driver.ts';
import type { SourceCall } from './source-text.ts';
import { findSyllables } from './syllables.ts';
import { isChecked, timeSyllables } from './timing.ts';

type Phone = { name: string; startMs: number; endMs: number; stress: 0 | 1 | 2 };

/** Makes phones of 100 ms each, one after another; `'` marks the stressed one. */
function phonesOf(names: string, startMs = 0): Phone[] {
  return names.split(' ').map((written, index) => ({
    name: written.replace("'", ''),
    stress: written.startsWith("'") ? 1 : 0,
    startMs: startMs + index * 100,
    endMs: startMs + (index + 1) * 100,
  }));
}

/** Returns the syllables of one word with these phones. */
function split(names: string, voice: SourceVoice = 'en', item: Partial<SourceCall['items'][number]> = {}) {
  const phones = phonesOf(names);
  const speech = { words: [{ at: 0, startMs: 0, phones }] } as unknown as SourceSpeech;
  const call = {
    voice,
    text: names,
    items: [
      {
        from: 0,
        to: 1,
        word: 0,
        written: 'w',
        reading: 'x1',
        tone: 1,
        isOnlyCoda: false,
        isWordStart: true,
        isWordEnd: true,
        ...item,
      },
    ],
    context: [],
  } as SourceCall;
  return findSyllables(speech, call);
}

/** Returns the number of phones of each syllable: each is 100 ms long. */
const sizes = (names: string) => split(names).map(({ parts }) => (parts.at(-1)!.endMs - parts[0]!.startMs) / 100);

describe('syllables of an English word', () => {
  test.each([
    ["k 'æ t", [3], 'cat'],
    ["'iː", [1], 'E'],
    ["w 'ɔː t ə", [2, 2], 'water: the consonant begins the second'],
    ["p 'iː p ə l", [2, 3], 'people'],
    ["'æ k t ə", [2, 2], 'actor: two consonants are divided'],
    ["'æ p ɹ ɪ l", [1, 4], 'April: pr begins a syllable'],
    ["k ɹ i 'eɪ t", [3, 2], 'create: vowels side by side'],
    ["'ɛ k s t ɹ ə", [3, 3], 'extra: tr begins a syllable'],
    ['s t', [2], 'no vowel'],
  ])('%s: %j phones, %s', (names, expected) => {
    expect(sizes(names)).toEqual(expected);
  });

  test('only the stressed one is stressed', () => {
    expect(split("w 'ɔː t ə").map(({ stress }) => stress)).toEqual([1, 0]);
  });

  test('only the first and the last are at the edges of the word', () => {
    const syllables = split("b ə n 'ɑː n ə");
    expect(syllables.map(({ isWordStart }) => isWordStart)).toEqual([true, false, false]);
    expect(syllables.map(({ isWordEnd }) => isWordEnd)).toEqual([false, false, true]);
  });

  test('within a longer word none is at an edge', () => {
    const syllables = split("k 'æ t", 'en', { isWordStart: false, isWordEnd: false });
    expect([syllables[0]!.isWordStart, syllables[0]!.isWordEnd]).toEqual([false, false]);
  });
});

const kinds = (names: string, voice: SourceVoice = 'en') => split(names, voice)[0]!.parts.map(({ kind }) => kind);

const first = (names: string, voice: SourceVoice) => split(names, voice)[0]!.parts[0]!.isVoiceless;

describe('the parts of a syllable', () => {
  test.each([
    ['m aː', ['sonorant', 'transition', 'vowel']],
    ['s aː', ['fricative', 'transition', 'vowel']],
    ['t aː', ['stop', 'fricative', 'transition', 'vowel']],
    ['l n̩', ['sonorant', 'transition', 'vowel']],
  ])('%s: %j', (names, expected) => {
    expect(kinds(names)).toEqual(expected);
  });

  test('z is an affricate in Cantonese and a fricative in English', () => {
    expect(kinds('z aː', 'yue')[0]).toBe('stop');
    expect(kinds('z aː', 'en')[0]).toBe('fricative');
  });

  test('follow one another without gaps, and one of them carries the tone', () => {
    for (const names of ['m aː', 't aː n', 'k w ɔ ŋ', 'ʐ ɐ', 'x']) {
      const [{ parts, nucleus } = { parts: [], nucleus: -1 }] = split(names, 'yue');
      parts.slice(1).forEach(({ startMs }, index) => expect(startMs).toBe(parts[index]!.endMs));
      expect(parts[nucleus]).toBeDefined();
    }
  });

  test('voiceless sounds are those of the language', () => {
    expect([first('b aː', 'en'), first('b aː', 'yue'), first('p aː', 'en')]).toEqual([false, true, true]);
    expect([first('ʐ aː', 'cmn'), first('m aː', 'cmn')]).toEqual([false, false]);
  });
});

test('an item without sound has no syllable', () => {
  const call = { voice: 'yue', text: '', items: [{ from: 0, to: 1 }], context: [] } as unknown as SourceCall;
  expect(findSyllables({ words: [] } as unknown as SourceSpeech, call)).toEqual([]);
  const silent = { words: [{ at: 0, startMs: 0, phones: [] }] } as unknown as SourceSpeech;
  expect(findSyllables(silent, call)).toEqual([]);
});

test('a syllabic consonant is the end of a longer syllable', () => {
  const [syllable] = split('a m', 'yue', { isOnlyCoda: true });
  expect([syllable!.parts[0]!.startMs, syllable!.parts.at(-1)!.endMs]).toEqual([100, 200]);
});

/** This sampler varies nothing. */
const STILL = { normal: () => 0 };
const timed = (names: string, voice: SourceVoice, item = {}, options = {}) =>
  timeSyllables(split(names, voice, item), {
    startMs: 1_000,
    syllableMs: 200,
    ending: null,
    sampler: STILL,
    ...options,
  });

const length = (syllableMs: number) => {
  const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = timed('m aː', 'yue', {}, { syllableMs });
  return endMs - startMs;
};

const lengthBefore = (ending: string | null) => {
  const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = timed('m aː', 'yue', {}, { ending });
  return endMs - startMs;
};

const lengthOf = (voice: SourceVoice, item: object) => {
  const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = timed('m aː', voice, item);
  return endMs - startMs;
};

const shares = (syllableMs: number) => {
  const [{ parts } = { parts: [] }] = timed('t aː', 'yue', {}, { syllableMs });
  return parts.map(({ fromMs, toMs }) => toMs - fromMs);
};

describe('the times of syllables', () => {
  test('begin where they are told, follow one another and cover their parts', () => {
    const syllables = timed("b ə n 'ɑː n ə", 'en');
    let reachedMs = 1_000;
    for (const { startMs, endMs, parts } of syllables) {
      expect(startMs).toBeCloseTo(reachedMs, 6);
      expect(parts[0]!.fromMs).toBeCloseTo(startMs, 6);
      expect(parts.at(-1)!.toMs).toBeCloseTo(endMs, 6);
      parts.slice(1).forEach(({ fromMs }, index) => expect(fromMs).toBeCloseTo(parts[index]!.toMs, 6));
      reachedMs = endMs;
    }
  });

  test('are as long as the mean asks', () => {
    expect(length(400) / length(200)).toBeCloseTo(2, 6);
  });

  test('are longer before a pause, in order of its strength', () => {
    const [withoutPause, comma, statement, ellipsis] = ['none', 'comma', 'statement', 'ellipsis'].map(lengthBefore);
    expect(withoutPause!).toBeLessThan(comma!);
    expect(comma!).toBeLessThan(statement!);
    expect(statement!).toBeLessThan(ellipsis!);
  });

  test('are shorter for function words and neutral tones', () => {
    expect(lengthOf('yue', { written: '嘅' })).toBeLessThan(lengthOf('yue', { written: '貓' }));
    expect(lengthOf('cmn', { written: '妈', tone: 5 })).toBeLessThan(lengthOf('cmn', { written: '妈', tone: 1 }));
  });

  test('end in silence after an unreleased stop of Cantonese', () => {
    const [checked] = timed('m aː', 'yue', { reading: 'maat3' });
    expect(checked!.parts.at(-1)).toMatchObject({ isSilenced: true, kind: 'closure' });
    const [open] = timed('m aː', 'yue', { reading: 'maa1' });
    expect(open!.parts.some(({ isSilenced }) => isSilenced)).toBe(false);
  });

  test('stretch vowels more than stops', () => {
    const [short, long] = [shares(150), shares(450)];
    expect(long.at(-1)! / short.at(-1)!).toBeGreaterThan(long[0]! / short[0]!);
  });
});

test.each([
  ['yue', 'jat1', true],
  ['yue', 'sap6', true],
  ['yue', 'baak3', true],
  ['yue', 'jan4', false],
  ['yue', 'taa1', false],
  ['cmn', 'jat1', false],
  ['en', 'cat', false],
] as const)('%s %s ends in an unreleased stop: %s', (voice, reading, expected) => {
  expect(isChecked({ voice, item: { reading } } as Parameters<typeof isChecked>[0])).toBe(expected);
});
