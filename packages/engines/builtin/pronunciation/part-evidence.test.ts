import { describe, expect, test } from 'vitest';
import { labelsFor } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import { addLogs } from './add-logs.ts';
import { wrongOdds } from './calibration.ts';
import { judgeSyllable, scoreOf, weighSyllable, type JudgingRules } from './judge-syllable.ts';
import { likeliestSyllable, onsetEvidence, rimeEvidence, toneEvidence } from './part-evidence.ts';
import type { SegmentEvidence } from './segment-evidence.ts';
import { syllableSounds } from './syllable-sounds.ts';
import type { Relief } from './unfamiliar-voice.ts';

const labels = labelsFor('cantonese');
const EXISTING = 'gaa kaa naa laa gong gwong jan hoeng seng sing aa ngaa saa saam saan'.split(' ');
const sounds = syllableSounds('cantonese', labels, EXISTING);
const reading = (written: string) => sounds.read(written)!;

/** Makes evidence in which each of these syllables has a probability, and all others a tiny one. */
function evidenceOf(probabilities: Readonly<Record<string, number>>): SegmentEvidence {
  const rows = labels.onsets.length + 1;
  const columns = labels.rimes.length;
  const logp = new Float64Array(rows * columns).fill(Math.log(1e-9));
  for (const [syllable, probability] of Object.entries(probabilities)) {
    const { onset, rime } = reading(`${syllable}1`);
    logp[onset * columns + rime] = Math.log(probability);
  }
  return { rows, columns, logp };
}

const names = (written: string) => reading(written).onsetVariants.map(sounds.onsetName);

describe('the sounds of a language', () => {
  test.each(['hoeng1', 'gwong2', 'aa3', 'm4', 'ngo5'])('%s is read and written again', (written) => {
    expect(sounds.write(reading(written))).toBe(written);
  });

  test.each(['', 'x', 'hoeng', 'hoeng7', 'zhong1', '香'])('%j has no sound', (written) => {
    expect(sounds.read(written)).toBeNull();
  });

  test('know which syllables exist, in any tone', () => {
    const { onset, rime } = reading('gaa6');
    expect(sounds.exists(onset, rime)).toBe(true);
    expect(sounds.exists(onset, reading('hoeng1').rime)).toBe(false);
  });

  test('have names', () => {
    const { onset, rime } = reading('gwong2');
    expect([sounds.onsetName(onset), sounds.rimeName(rime), sounds.onsetName(0)]).toEqual(['gw', 'ong', '']);
  });

  test('know the variants of Hong Kong', () => {
    expect([names('naa5'), names('laa1'), names('gwong2'), names('ngaa4'), names('hoeng1')]).toEqual([
      ['l'],
      ['n'],
      ['g'],
      [''],
      [],
    ]);
  });

  test('of Mandarin have no variants', () => {
    const mandarin = syllableSounds('mandarin', labelsFor('mandarin'), ['na', 'la']);
    expect(mandarin.read('na4')).toMatchObject({ onsetVariants: [], rimeVariants: [], tone: 4 });
    expect(mandarin.write(mandarin.read('lv4')!)).toBe('lv4');
    expect(mandarin.doubles).toEqual([]);
  });
});

describe('evidence for a part', () => {
  test('of an onset is against the onsets that combine with the rime', () => {
    const { oddsLogp, rival } = onsetEvidence(evidenceOf({ gaa: 0.8, kaa: 0.1 }), reading('gaa1'), sounds);
    expect(oddsLogp).toBeCloseTo(Math.log(8), 4);
    expect(sounds.onsetName(rival)).toBe('k');
  });

  test('of an onset includes its variants', () => {
    const { oddsLogp, variant } = onsetEvidence(evidenceOf({ naa: 0.1, laa: 0.7, gaa: 0.1 }), reading('naa1'), sounds);
    expect(oddsLogp).toBeCloseTo(Math.log(8), 4);
    expect(sounds.onsetName(variant!.number)).toBe('l');
    expect(variant!.aheadLogp).toBeCloseTo(Math.log(7), 6);
  });

  test('of a rime is against the rimes that combine with the onset', () => {
    const { oddsLogp, rival } = rimeEvidence(evidenceOf({ saam: 0.2, saan: 0.6 }), reading('saam1'), sounds);
    expect(oddsLogp).toBeCloseTo(Math.log(1 / 3), 4);
    expect(sounds.rimeName(rival)).toBe('aan');
  });

  test('of a tone is against the others', () => {
    const { oddsLogp, rival } = toneEvidence([0.5, 0.3, 0.1, 0.05, 0.03, 0.02].map(Math.log), 1);
    expect([oddsLogp, rival]).toEqual([expect.closeTo(0, 6), 2]);
  });

  test('without a rival is sure', () => {
    expect(onsetEvidence(evidenceOf({ jan: 0.5 }), reading('jan1'), sounds)).toMatchObject({
      oddsLogp: 40,
      rival: reading('jan1').onset,
    });
  });
});

test('the likeliest syllable is one of the language, unless another is much likelier', () => {
  const tones = [0.1, 0.1, 0.1, 0.5, 0.1, 0.1].map(Math.log);
  const written = (probabilities: Record<string, number>) =>
    sounds.write(likeliestSyllable(evidenceOf(probabilities), tones, sounds));
  expect(written({ saam: 0.3, saan: 0.6 })).toBe('saan4');
  expect(written({ saam: 0.3, baang: 0.6 })).toBe('saam4');
  expect(written({ saam: 0.01, baang: 0.6 })).toBe('baang4');
});

describe('a score', () => {
  test.each([
    [0, 90, 100],
    [1, 90, 90],
    [Infinity, 90, 0],
    [3, 90, 45],
    [1 / 3, 90, 95],
    [1, 70, 70],
    [3, 70, 35],
  ])('of odds %d with the mark %i is %d', (odds, mark, score) => {
    expect(scoreOf(odds, mark)).toBeCloseTo(score, 9);
  });

  test('falls as the odds of a mistake rise', () => {
    const scores = Array.from({ length: 200 }, (_, step) => scoreOf(1.1 ** (step - 100), 90));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test.each([
    [0, { slope: 1, offset: 0 }, 1],
    [Math.log(4), { slope: 1, offset: 0 }, 0.25],
    [Math.log(4), { slope: 0.5, offset: 0 }, 0.5],
    [0, { slope: 1, offset: Math.log(9) }, 1 / 9],
    [1e9, { slope: 1, offset: 0 }, Math.exp(-40)],
    [-1e9, { slope: 1, offset: 0 }, Math.exp(40)],
  ])('log-odds of %d with %j give odds of %d', (oddsLogp, line, odds) => {
    expect(wrongOdds(oddsLogp, line)).toBeCloseTo(odds, 9);
  });
});

describe('a syllable', () => {
  const line = { slope: 1, offset: 0 };
  const rules: JudgingRules = {
    sounds,
    calibration: { onset: line, rime: line, tone: line },
    fluent: null,
    passMark: 90,
  };
  const FIRST = [0.96, 0.01, 0.01, 0.01, 0.005, 0.005].map(Math.log);
  const judge = (
    written: readonly string[],
    probabilities: Record<string, number>,
    toneLogp = FIRST,
    relief?: Relief,
  ) =>
    judgeSyllable(
      weighSyllable(written.map(reading), { segments: evidenceOf(probabilities), toneLogp }, sounds),
      rules,
      relief,
    );

  test('that was said is right', () => {
    const judged = judge(['gaa1'], { gaa: 0.98, kaa: 0.01 });
    expect([judged.verdict, judged.onset.verdict, judged.tone.verdict]).toEqual(['right', 'right', 'right']);
    expect(judged.score).toBeGreaterThan(98);
  });

  test('with another onset is wrong there', () => {
    const judged = judge(['gaa1'], { gaa: 0.01, kaa: 0.98 });
    expect([judged.verdict, judged.onset.verdict, judged.rime.verdict]).toEqual(['wrong', 'wrong', 'right']);
    expect(sounds.write(judged.heard)).toBe('kaa1');
    expect(judged.score).toBeLessThan(90);
  });

  test('with another tone is wrong there', () => {
    const judged = judge(['gaa2'], { gaa: 0.98 });
    expect([judged.verdict, judged.tone.verdict, judged.heard.tone]).toEqual(['wrong', 'wrong', 1]);
  });

  test('with a variant of Hong Kong passes at a price', () => {
    const judged = judge(['naa1'], { laa: 0.97, naa: 0.01 });
    expect([judged.verdict, judged.onset.verdict]).toEqual(['variant', 'variant']);
    expect(judged.score).toBeGreaterThanOrEqual(90);
    expect(judged.score).toBeLessThanOrEqual(97);
  });

  test('is judged by the accepted reading that fits', () => {
    expect(judge(['saan1', 'gaa1'], { gaa: 0.98 }).reading.written).toBe('gaa1');
    expect(judge(['gaa1', 'gaa1'], { gaa: 0.98 }).reading.written).toBe('gaa1');
  });

  test('whose sounds only relief makes right passes and is unsure of what was heard', () => {
    const probabilities = { gaa: 0.3, kaa: 0.6 };
    expect(judge(['gaa1'], probabilities)).toMatchObject({ verdict: 'wrong', onset: { verdict: 'wrong' } });
    const judged = judge(['gaa1'], probabilities, FIRST, { segments: 4, tone: 0, fluency: 0 });
    expect([judged.verdict, judged.onset.verdict, judged.rime.verdict]).toEqual(['unsure', 'unsure', 'right']);
    expect(judged.score).toBeGreaterThanOrEqual(90);
    expect(sounds.write(judged.heard)).toBe('kaa1');
  });

  test('whose tone only relief makes right is unsure there, and stays right where it was', () => {
    const third = [0.3, 0.01, 0.65, 0.01, 0.01, 0.01].map(Math.log);
    expect(judge(['gaa1'], { gaa: 0.98 }, third).tone.verdict).toBe('wrong');
    expect(judge(['gaa1'], { gaa: 0.98 }, third, { segments: 4, tone: 2, fluency: 0 })).toMatchObject({
      verdict: 'unsure',
      tone: { verdict: 'unsure', heard: 3 },
    });
    expect(judge(['gaa1'], { gaa: 0.98 }, FIRST, { segments: 4, tone: 2, fluency: 0 }).verdict).toBe('right');
  });
});

test.each([
  [Math.log(1), Math.log(2), Math.log(3)],
  [-Infinity, 0, 0],
  [-1_000, -1_000, -1_000 + Math.log(2)],
  [-Infinity, -Infinity, -Infinity],
])('the logarithms %d and %d add up to %d', (a, b, sum) => {
  expect(addLogs(a, b)).toBeCloseTo(sum, 9);
  expect(addLogs(b, a)).toBeCloseTo(sum, 9);
});
