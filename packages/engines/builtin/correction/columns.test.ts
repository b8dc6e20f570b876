import { describe, expect, it } from 'vitest';
import type { CorrectionSegment } from '@jyutsing/contracts/corrector';
import { fitOf, splitIntoRuns, type Column, type Run } from './columns.ts';
import { foreignSegment, ownSegment, recognizedSyllables } from '#engines/builtin/testing/correction-segments.ts';
import { createLikelihoods, syllableCode } from './sound-likeness.ts';
import { CORRECTION_WEIGHTS } from './weights.ts';

const likelihoods = createLikelihoods(CORRECTION_WEIGHTS);
const split = (segment: CorrectionSegment) => splitIntoRuns(segment, likelihoods, CORRECTION_WEIGHTS);
const columnsOf = (run: Run | undefined): Column[] => (run !== undefined && 'columns' in run ? run.columns : []);
/** Writes the runs of a segment as text; `_` is a syllable without a character. */
const written = (segment: CorrectionSegment) =>
  split(segment).map((run) =>
    'kept' in run ? run.kept : run.columns.map(({ character }) => character ?? '_').join(''),
  );
const fit = (column: Column, syllable: string) => fitOf(column, syllableCode(syllable));

describe('the runs of a text', () => {
  it.each([
    ['', []],
    ['hello', ['hello']],
    ['香港', ['香港']],
    ['香港。', ['香港', '。']],
    ['我 like 香港 2 次！', ['我', ' like ', '香港', ' 2 ', '次', '！']],
    ['「香」港', ['「', '香', '」', '港']],
    // These characters are outside of the first plane of Unicode: two UTF-16 units each.
    ['𠮩𠹌', ['𠮩𠹌']],
    ['😀香', ['😀', '香']],
  ])('%j are its Chinese characters and the rest', (text, expected) => {
    expect(written(foreignSegment(text, ''))).toEqual(expected);
  });

  it('together are the text', () => {
    for (const text of ['喂，我用 iPhone 15 打俾梁好停：OK？ ', '  ', '一a二b三', '。。好']) {
      expect(written(foreignSegment(text, 'wai3 ngo5 jung6 hou2')).join('').replaceAll('_', '')).toBe(text);
    }
  });

  it('have the syllables that are not written, where they were spoken', () => {
    const segment = ownSegment('香港', 'hoeng1 gong2');
    const longer: CorrectionSegment = {
      segment: { ...segment.segment, endMs: 600 },
      syllables: recognizedSyllables('hoeng1 gong2 jan4'),
    };
    expect(written(longer)).toEqual(['香港_']);
    const [last] = columnsOf(split(longer)[0]).slice(-1);
    expect(last).toMatchObject({ character: null, readings: [], keep: 0, isRecognizedByReading: false });
    expect(fit(last!, 'jan4')).toBeCloseTo(Math.log(1 + 1e-4), 3);
  });

  it('leave out syllables that belong to other text', () => {
    expect(written(foreignSegment('hello', 'hoeng1 gong2'))).toEqual(['hello']);
  });
});

describe('a column', () => {
  const [first, second] = columnsOf(split(ownSegment('香江', 'hoeng1 gong2|gong1', 0.7))[0]);

  it('has what was recognized there', () => {
    expect(first!.sounds).toEqual([{ code: syllableCode('hoeng1'), probability: 1 }]);
    expect(second!.sounds.map(({ code }) => code)).toEqual([syllableCode('gong2'), syllableCode('gong1')]);
  });

  it('fits what was recognized and what is written, each more than anything else', () => {
    expect(fit(first!, 'hoeng1')).toBeGreaterThan(fit(first!, 'hoeng2'));
    expect(fit(first!, 'hoeng2')).toBeGreaterThan(fit(first!, 'si6'));
    expect(fit(second!, 'gong2')).toBeGreaterThan(fit(second!, 'gong1'));
    expect(fit(second!, 'gong1')).toBeGreaterThan(fit(second!, 'gong3'));
    expect(second!.bestReadingFit).toBe(fit(second!, 'gong1'));
  });

  it('never rules a syllable out, as recognizers make errors', () => {
    for (const syllable of ['m4', 'gwaang6', 'aa1']) {
      expect(fit(first!, syllable)).toBeGreaterThanOrEqual(Math.log(1e-4));
      expect(fit(first!, syllable)).toBeLessThan(Math.log(0.1));
    }
  });

  it('without a recognized syllable has the readings of its character alone', () => {
    const [only] = columnsOf(split(foreignSegment('香', ''))[0]);
    expect(only!.sounds).toEqual([]);
    expect(fit(only!, 'hoeng1')).toBeCloseTo(Math.log(1 + 1e-4), 3);
  });

  it('of a character without a known reading fits what was recognized', () => {
    const [only] = columnsOf(split(ownSegment('㐂', 'hei2'))[0]);
    expect(fit(only!, 'hei2')).toBeGreaterThan(Math.log(0.15));
  });
});

/**
 * Computes how much better the recognized syllable fits than the written one, at the last
 * character.
 */
const preference = (text: string, jyutping: string) => {
  const last = columnsOf(split(foreignSegment(text, jyutping))[0]).at(-1)!;
  return fit(last, jyutping.split(' ').at(-1)!) - last.bestReadingFit;
};

describe('the trust in recognized syllables', () => {
  it('is high where they agree with the rest of the text, and low where they do not', () => {
    expect(preference('今日天氣好人', 'gam1 jat6 tin1 hei3 hou2 jam4')).toBeGreaterThan(0.5);
    expect(preference('今日天氣好人', 'si6 daan6 ngo5 mong1 zi1 jam4')).toBeLessThan(-0.5);
  });
});

const keepAt = (confidence: number) => columnsOf(split(ownSegment('香', 'hoeng1', confidence))[0])[0]!.keep;

describe('the bonus for keeping a character', () => {
  const { keep, keepByConfidence, keepOfOthers } = CORRECTION_WEIGHTS;

  it.each([
    [0.5, keep],
    [0.3, keep],
    [0.9, keep + keepByConfidence * Math.log(9)],
    // Confidence above 99 % adds no more trust.
    [0.99, keep + keepByConfidence * Math.log(99)],
    [1, keep + keepByConfidence * Math.log(99)],
    [5, keep + keepByConfidence * Math.log(99)],
    [-1, keep],
  ])('with a confidence of %d', (confidence, expected) => {
    expect(keepAt(confidence)).toBeCloseTo(expected, 9);
  });

  it('is higher for a recognizer that knows more words than the language model', () => {
    const [column] = columnsOf(split(foreignSegment('香', 'hoeng1'))[0]);
    expect(column).toMatchObject({ keep: keepOfOthers, isRecognizedByReading: false });
    expect(columnsOf(split(ownSegment('香', 'hoeng1'))[0])[0]!.isRecognizedByReading).toBe(true);
  });
});
