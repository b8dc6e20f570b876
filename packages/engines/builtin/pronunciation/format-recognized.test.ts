import { describe, expect, it } from 'vitest';
import { labelsFor } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import { formatRecognized } from './format-recognized.ts';
import type { JudgedSyllable } from './judge-syllable.ts';
import type { RecognizedAttempt } from './recognize-attempts.ts';
import { syllableSounds } from './syllable-sounds.ts';
import type { AcousticAnalysis } from './types.ts';

const cantonese = syllableSounds('cantonese', labelsFor('cantonese'), []);
const mandarin = syllableSounds('mandarin', labelsFor('mandarin'), []);
const analysis = { labels: labelsFor('mandarin', 30) } as AcousticAnalysis;

/**
 * Makes an attempt at a unit of the text (null for an insertion) in frames, with the expected and
 * the recognized syllable. It is judged right where the two are the same.
 */
function attempt(
  unit: number | null,
  [startFrame, endFrame]: [number, number],
  expected: string,
  recognized = expected,
  sounds = mandarin,
): RecognizedAttempt {
  const place = { unit, place: unit ?? 0, startFrame, endFrame, rimeStart: startFrame, rimeEnd: endFrame };
  const verdict = expected === recognized ? 'right' : 'wrong';
  return {
    attempt: place,
    sounding: { startFrame, endFrame },
    heard: sounds.read(recognized)!,
    judged: unit === null ? null : ({ verdict, reading: sounds.read(expected)! } as JudgedSyllable),
    contourSemitones: [],
  };
}

const formatCantonese = (...attempts: RecognizedAttempt[]) =>
  formatRecognized(attempts, ['好', '香'], analysis, { sounds: cantonese, decode: null });

describe('what was recognized in Cantonese', () => {
  it('is jyutping, with what was heard in place of what is wrong', () => {
    const right = attempt(0, [0, 5], 'hou2', 'hou2', cantonese);
    const wrong = attempt(1, [5, 9], 'hoeng1', 'hung1', cantonese);
    expect(formatCantonese(right, wrong)).toBe('hou2 hung1');
  });

  it('has syllables that the text does not have', () => {
    expect(
      formatCantonese(attempt(0, [0, 5], 'hou2', 'hou2', cantonese), attempt(null, [5, 9], 'aa3', 'aa3', cantonese)),
    ).toBe('hou2 aa3');
  });

  it('has no consonants alone', () => {
    const alone = attempt(null, [5, 9], 'hou2', 'hou2', cantonese);
    expect(formatCantonese({ ...alone, attempt: { ...alone.attempt, rimeStart: 0, rimeEnd: 0 } })).toBe('');
  });

  it('is written as heard where it is a variant', () => {
    const variant = attempt(0, [0, 5], 'nei5', 'lei5', cantonese);
    variant.judged!.verdict = 'variant';
    expect(formatCantonese(variant)).toBe('lei5');
  });
});

/** Formats a recording whose free recognition has these characters, each with its times in ms. */
const formatMandarin = (
  attempts: RecognizedAttempt[],
  texts: string[],
  ...free: [text: string, from: number, to: number][]
) => {
  const decode = () => free.map(([text, startMs, endMs]) => ({ text, startMs, endMs }));
  return formatRecognized(attempts, texts, analysis, { sounds: mandarin, decode });
};

describe('what was recognized in Mandarin', () => {
  const ni = attempt(0, [0, 10], 'ni3');
  const hao = attempt(1, [10, 20], 'hao3');
  const ma = attempt(2, [20, 30], 'ma5');
  const TEXTS = ['你', '好', '吗'];

  it('has spaces around the pinyin of a text with characters', () => {
    expect(formatMandarin([ni, hao, ma], ['ni3', 'hao3', '吗'])).toBe('ni3 hao3 吗');
    expect(formatMandarin([ni, hao, ma], ['你', 'hao3', '吗'])).toBe('你 hao3 吗');
  });

  it('is the text, in its own characters, when all of it is right', () => {
    expect(formatMandarin([ni, hao, ma], TEXTS, ['泥', 0, 300], ['号', 300, 600])).toBe('你好吗');
  });

  it('has the free recognition in place of what is wrong', () => {
    const wrong = attempt(1, [10, 20], 'hao3', 'gao1');
    expect(formatMandarin([ni, wrong, ma], TEXTS, ['泥', 0, 290], ['高', 310, 590], ['马', 610, 900])).toBe('你高吗');
  });

  it('has the free recognition between two right ones by its middle', () => {
    const extra = attempt(null, [10, 20], 'gao1');
    const later = attempt(1, [20, 30], 'hao3');
    const free: [string, number, number][] = [
      ['a', 250, 349],
      ['b', 250, 350],
      ['c', 500, 699],
      ['d', 500, 700],
    ];
    // The free recognition counts from 300 ms, included, to 600 ms, excluded.
    expect(formatMandarin([ni, extra, later], TEXTS, ...free)).toBe('你bc好');
  });

  it('has the free recognition up to the end where the end is wrong', () => {
    expect(
      formatMandarin([ni, attempt(1, [10, 20], 'hao3', 'gao1')], TEXTS, ['高', 310, 590], ['了', 5_000, 5_300]),
    ).toBe('你高了');
  });

  it('has the free recognition alone where all is wrong', () => {
    expect(formatMandarin([attempt(0, [0, 10], 'ni3', 'ta1')], TEXTS, ['他', 0, 300])).toBe('他');
  });

  it('is written as the text is, Traditional or Simplified', () => {
    const me = attempt(0, [0, 10], 'wo3');
    const wrong = attempt(1, [10, 20], 'men5', 'ma1');
    const free: [string, number, number] = ['妈', 310, 590];
    expect(formatMandarin([me, wrong], ['我', '們'], free)).toBe('我媽');
    expect(formatMandarin([me, wrong], ['我', '们'], free)).toBe('我妈');
    expect(formatMandarin([attempt(0, [0, 10], 'men5', 'ma1')], ['們'], ['妈', 0, 300])).toBe('媽');
  });

  it.each([
    ['显著', '们', '妈'],
    ['乾坤', '好', '妈'],
    ['瞭望', '好', '妈'],
    ['著名', '好', '妈'],
    ['顯著', '好', '媽'],
    ['後天', '好', '媽'],
  ])('is in the script of the characters that only one script has: %s%s', (before, last, written) => {
    const texts = [...before, last];
    const attempts = texts.map((_, index) =>
      index === 2 ? attempt(2, [20, 30], 'hao3', 'ma1') : attempt(index, [index * 10, index * 10 + 10], 'ni3'),
    );
    expect(formatMandarin(attempts, texts, ['妈', 610, 890])).toBe(before + written);
  });

  it('is pinyin as heard for a text of pinyin, insertions too', () => {
    const texts = ['ni3', 'hao3'];
    const changed = attempt(0, [0, 10], 'ni2');
    const good = attempt(1, [20, 30], 'hao3');
    const wrong = attempt(1, [20, 30], 'hao3', 'gao1');
    expect(formatMandarin([changed, good], texts, ['泥', 0, 300], ['号', 600, 900])).toBe('ni2 hao3');
    expect(formatMandarin([ni, attempt(null, [10, 20], 'ma5'), wrong], texts, ['高', 610, 890])).toBe('ni3 ma5 gao1');
  });

  it('is empty without a syllable', () => {
    expect(formatMandarin([], TEXTS, ['他', 0, 300])).toBe('');
  });
});
