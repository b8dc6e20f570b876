import { describe, expect, it } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { labelsFor, syntheticPosteriors } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import type { Posteriors } from '#engines/builtin/decoder/types.ts';
import { align } from './align.ts';
import type { AlignedUnit } from './alignment-graph.ts';
import { syllableSounds } from './syllable-sounds.ts';

const LABELS = labelsFor('cantonese');
const SOUNDS = syllableSounds('cantonese', LABELS, []);

/** Simulated frames of the syllables with high accuracy. */
const posteriorsOf = (syllables: string, seed = 1): Posteriors =>
  syntheticPosteriors(syllables.split(' '), LABELS, {
    toneAcuity: 6,
    segmentAcuity: 6,
    missedShare: 0,
    ghostShare: 0,
    random: createRandom(seed),
  });

/** Parses units, with readings separated by bars; `*` is a word of another language. */
const text = (units: string): AlignedUnit[] =>
  units.split(' ').map((unit) => (unit === '*' ? null : unit.split('|').map((reading) => SOUNDS.read(reading)!)));

const unitsOf = (posteriors: Posteriors, units: AlignedUnit[]): string =>
  align(posteriors, LABELS, units)
    .map(({ unit, place }) => (unit === null ? `+${place}` : String(unit)))
    .join(' ');

const SENTENCE = 'gam1 jat6 tin1 hei3 gei2 hou2';

describe('alignment of a recording with the text it should be', () => {
  it('finds every syllable of the right text in order, at any accuracy', () => {
    for (let seed = 1; seed <= 20; seed++)
      expect(unitsOf(posteriorsOf(SENTENCE, seed), text(SENTENCE))).toBe('0 1 2 3 4 5');
  });

  it('frames of the syllables do not overlap and lie within the recording', () => {
    const posteriors = posteriorsOf(SENTENCE);
    const attempts = align(posteriors, LABELS, text(SENTENCE));
    let before = 0;
    for (const { startFrame, endFrame, rimeStart, rimeEnd } of attempts) {
      expect(startFrame).toBeGreaterThanOrEqual(before);
      expect(rimeStart).toBeGreaterThanOrEqual(startFrame);
      expect(rimeEnd).toBeGreaterThan(rimeStart);
      expect(endFrame).toBe(rimeEnd);
      before = endFrame;
    }
    expect(before).toBeLessThanOrEqual(posteriors.frameCount);
  });

  it('an omitted unit has no attempt, and its neighbors keep theirs', () => {
    expect(unitsOf(posteriorsOf('gam1 jat6 hei3 gei2 hou2'), text(SENTENCE))).toBe('0 1 3 4 5');
    expect(unitsOf(posteriorsOf('jat6 tin1 hei3 gei2 hou2'), text(SENTENCE))).toBe('1 2 3 4 5');
    expect(unitsOf(posteriorsOf('gam1 jat6 tin1 hei3'), text(SENTENCE))).toBe('0 1 2 3');
  });

  it('an inserted syllable is found at its position', () => {
    expect(unitsOf(posteriorsOf('gam1 jat6 ngo5 tin1 hei3 gei2 hou2'), text(SENTENCE))).toBe('0 1 +2 2 3 4 5');
    expect(unitsOf(posteriorsOf('lou5 si1 gam1 jat6 tin1 hei3 gei2 hou2'), text(SENTENCE))).toBe('+0 +0 0 1 2 3 4 5');
    expect(unitsOf(posteriorsOf('gam1 jat6 tin1 hei3 gei2 hou2 aa3'), text(SENTENCE))).toBe('0 1 2 3 4 5 +6');
  });

  it('going back in the text is a repetition', () => {
    expect(unitsOf(posteriorsOf('gam1 jat6 gam1 jat6 tin1 hei3 gei2 hou2'), text(SENTENCE))).toBe('0 1 0 1 2 3 4 5');
    expect(unitsOf(posteriorsOf('gam1 jat6 tin1 hei3 gei2 gei2 hou2'), text(SENTENCE))).toBe('0 1 2 3 4 4 5');
  });

  it('a wrong syllable is an attempt at the unit in its position', () => {
    expect(unitsOf(posteriorsOf('gam1 jat6 fuk1 hei3 gei2 hou2'), text(SENTENCE))).toBe('0 1 2 3 4 5');
    expect(unitsOf(posteriorsOf('gam1 fuk1'), text('gam1 jat6'))).toBe('0 1');
  });

  it('any of several readings is accepted', () => {
    const units = text('ngan4 hong4|hang4');
    expect(unitsOf(posteriorsOf('ngan4 hong4'), units)).toBe('0 1');
    expect(unitsOf(posteriorsOf('ngan4 hang4'), units)).toBe('0 1');
  });

  it('words of another language match any sound, or silence', () => {
    const units = text('ngo5 * hai2');
    expect(unitsOf(posteriorsOf('ngo5 hai2'), units)).toBe('0 2');
    expect(unitsOf(posteriorsOf('ngo5 si1 gaa1 hai2'), units)).toBe('0 +1 +1 2');
  });

  it('equal neighboring syllables are separated', () => {
    expect(unitsOf(posteriorsOf('maa4 maa4'), text('maa4 maa4'))).toBe('0 1');
    expect(unitsOf(posteriorsOf('maa4'), text('maa4 maa4'))).toMatch(/^[01]$/);
  });

  it('silence and no frames give no attempts', () => {
    expect(align(posteriorsOf(''), LABELS, text(SENTENCE))).toEqual([]);
    const silence = { frameCount: 0, symbolLogp: new Float32Array(0), toneLogp: new Float32Array(0) };
    expect(align(silence, LABELS, text(SENTENCE))).toEqual([]);
  });

  it('an impossibly long text costs no more than a possible one', () => {
    const endless = Array.from({ length: 20_000 }, () => 'gam1').join(' ');
    expect(align(posteriorsOf(SENTENCE), LABELS, text(endless)).length).toBeGreaterThan(0);
  });

  it('a minute of speech is aligned', () => {
    const minute = Array.from({ length: 50 }, () => SENTENCE).join(' ');
    const expected = Array.from({ length: 300 }, (_, unit) => unit).join(' ');
    expect(unitsOf(posteriorsOf(minute), text(minute))).toBe(expected);
  });
});
