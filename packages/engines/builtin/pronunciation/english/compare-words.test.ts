import { describe, expect, test } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { labelsFor, syntheticPosteriors } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import type { AcousticAnalysis } from '#engines/builtin/pronunciation/types.ts';
import { compareWords, type EnglishTarget } from './compare-words.ts';
import { recognizedText } from './recognized-text.ts';

const labels = labelsFor('english');
const ACCURATE = { toneAcuity: 5, segmentAcuity: 5, missedShare: 0, ghostShare: 0 };

/** Simulates an accurate analysis of these phones. */
function analysisOf(phones: string): AcousticAnalysis {
  const posteriors = syntheticPosteriors(phones.split(' '), labels, { ...ACCURATE, random: createRandom(1) });
  return { samples: new Float32Array(0), labels, posteriors, pitch: new Float32Array(posteriors.frameCount * 2) };
}

/** Makes a text of words with their pronunciations; `*` marks a word of another language. */
function textOf(...words: readonly [text: string, ...pronunciations: string[]][]): EnglishTarget {
  return {
    language: 'english',
    units: words.map(([text, ...pronunciations]) =>
      text === '*'
        ? { kind: 'other', text, afterPause: false }
        : {
            kind: 'word',
            text,
            pronunciations: pronunciations.map((pronunciation) => pronunciation.split(' ')),
            afterPause: false,
          },
    ),
  };
}

const BIG: [string, string] = ['big', 'B IH G'];
const LAMP: [string, string] = ['lamp', 'L AE M P'];
const GREEN: [string, string] = ['green', 'G R IY N'];
const TOMATO: [string, ...string[]] = ['tomato', 'T AX M EY T OW', 'T AX M AA T OW'];
const spokenWordsOf = (phones: string, target: EnglishTarget) =>
  compareWords(analysisOf(phones), target).words.map(({ text, spoken }) => (spoken === null ? '' : text));

describe('aligning words', () => {
  test('every phone of the text is found, more surely than any other', () => {
    const { words, repetitions, inserted } = compareWords(
      analysisOf('B IH G G R IY N T AX M EY T OW'),
      textOf(BIG, GREEN, TOMATO),
    );
    const phones = words.flatMap(({ spoken }) => spoken?.phones ?? []);
    expect(phones).toHaveLength(13);
    expect(phones.every(({ frames, logp, rivalLogp }) => frames !== null && logp > rivalLogp)).toBe(true);
    expect([repetitions, inserted.length]).toEqual([0, 0]);
  });

  test('the spoken one of several pronunciations is chosen', () => {
    const { words } = compareWords(analysisOf('T AX M AA T OW'), textOf(TOMATO));
    expect(words[0]!.columns.map((column) => labels.phones[column - 1])).toContain('AA');
  });

  test('words left out at the beginning, in the middle and at the end', () => {
    const target = textOf(LAMP, GREEN, TOMATO);
    expect(spokenWordsOf('G R IY N T AX M EY T OW', target)).toEqual(['', 'green', 'tomato']);
    expect(spokenWordsOf('L AE M P T AX M EY T OW', target)).toEqual(['lamp', '', 'tomato']);
    expect(spokenWordsOf('L AE M P G R IY N', target)).toEqual(['lamp', 'green', '']);
  });

  test('repeated words are repetitions and count once', () => {
    const twice = compareWords(
      analysisOf('B IH G G R IY N B IH G G R IY N T AX M EY T OW'),
      textOf(BIG, GREEN, TOMATO),
    );
    expect(twice.repetitions).toBe(2);
    expect(twice.words.every(({ spoken }) => spoken !== null)).toBe(true);
    expect(twice.words[0]!.spoken!.startFrame).toBeGreaterThan(10);
  });

  test('sounds outside the text are insertions, except at a word of another language', () => {
    const phones = 'B IH G SH UW F AY T AX M EY T OW';
    expect(compareWords(analysisOf(phones), textOf(BIG, TOMATO)).inserted.length).toBeGreaterThanOrEqual(3);
    expect(compareWords(analysisOf(phones), textOf(BIG, ['*'], TOMATO)).inserted).toEqual([]);
  });

  test('a phone left out and a phone exchanged are known', () => {
    const [omitted] = compareWords(analysisOf('G IY N'), textOf(GREEN)).words;
    expect(omitted!.spoken!.phones[1]!.logp).toBeLessThan(Math.log(0.1));
    const [exchanged] = compareWords(analysisOf('G L IY N'), textOf(GREEN)).words;
    const phone = exchanged!.spoken!.phones[1]!;
    expect(labels.phones[phone.rival - 1]).toBe('L');
    expect(phone.rivalLogp).toBeGreaterThan(phone.logp);
  });

  test('a word with unknown phones is not judged', () => {
    expect(compareWords(analysisOf('B IH G'), textOf(BIG, ['hm', 'QQ'])).words.map(({ text }) => text)).toEqual([
      'big',
    ]);
  });
});

test('the recognized text combines accepted words of the text with freely recognized words elsewhere', () => {
  const free = [
    { text: 'pig', startMs: 0, endMs: 300 },
    { text: 'often', startMs: 310, endMs: 600 },
  ];
  expect(recognizedText([{ text: 'big', startMs: 20, endMs: 290 }], free)).toBe('big often');
  expect(recognizedText([], free)).toBe('pig often');
  expect(recognizedText([], [])).toBe('');
});
