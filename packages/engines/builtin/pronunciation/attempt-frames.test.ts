import { describe, expect, it } from 'vitest';
import type { AcousticLabels } from '#engines/builtin/decoder/types.ts';
import type { Attempt } from './align.ts';
import { evidenceWindow, modelToneLogp, soundingFrames } from './attempt-frames.ts';
import type { AcousticAnalysis } from './types.ts';

/** The columns are blank, onset, rime. */
const LABELS: AcousticLabels = { frameMs: 30, onsets: ['b'], rimes: ['a'], tones: 2, phones: [] };

/** Makes the analysis of a recording in which these frames are voiced, and all have even tones. */
function analysisOf(frameCount: number, isVoiced: (frame: number) => boolean = () => false): AcousticAnalysis {
  const pitch = new Float32Array(frameCount * 2);
  for (let frame = 0; frame < frameCount; frame += 1) pitch[frame * 2 + 1] = isVoiced(frame) ? 0.4 : 0.39;
  const symbolLogp = new Float32Array(frameCount * 3).fill(Math.log(1 / 3));
  const toneLogp = new Float32Array(frameCount * 2).fill(Math.log(0.5));
  return { samples: new Float32Array(0), labels: LABELS, pitch, posteriors: { frameCount, symbolLogp, toneLogp } };
}

const attempt = (startFrame: number, endFrame: number): Attempt => {
  return { unit: 0, place: 0, startFrame, endFrame, rimeStart: startFrame, rimeEnd: endFrame };
};
const attempts = (...ranges: [start: number, end: number][]) => ranges.map(([start, end]) => attempt(start, end));

describe('the window of the evidence', () => {
  it.each<[string, [number, number][], number, [number, number]]>([
    ['reaches 12 frames to either side', [[50, 53]], 0, [38, 65]],
    ['stays within the recording', [[3, 95]], 0, [0, 100]],
    [
      'ends at the neighbors',
      [
        [40, 45],
        [50, 53],
        [55, 60],
      ],
      1,
      [45, 55],
    ],
    [
      'reaches neighbors that are far away only in part',
      [
        [10, 20],
        [50, 53],
        [90, 95],
      ],
      1,
      [38, 65],
    ],
    [
      'is the attempt where the neighbors touch it',
      [
        [40, 50],
        [50, 53],
        [53, 60],
      ],
      1,
      [50, 53],
    ],
  ])('%s', (_name, ranges, index, [startFrame, endFrame]) => {
    expect(evidenceWindow(attempts(...ranges), index, { labels: LABELS, posteriors: { frameCount: 100 } })).toEqual({
      startFrame,
      endFrame,
    });
  });
});

const everywhere = () => true;

describe('the frames in which an attempt sounds', () => {
  it('begin a little before its symbols and end a little after them', () => {
    expect(soundingFrames(attempts([50, 53]), 0, analysisOf(100))).toEqual({ startFrame: 48, endFrame: 55 });
  });

  it.each([
    [60, 60],
    [70, 70],
    // A syllable sounds on for at most 24 frames after its last symbol.
    [90, 77],
  ])('go on while it is voiced: until frame %i', (voicedUntil, endFrame) => {
    const analysis = analysisOf(100, (frame) => frame < voicedUntil);
    expect(soundingFrames(attempts([50, 53]), 0, analysis).endFrame).toBe(endFrame);
  });

  it('end where the voice stops, though it begins again', () => {
    const analysis = analysisOf(100, (frame) => frame !== 58);
    expect(soundingFrames(attempts([50, 53]), 0, analysis).endFrame).toBe(58);
  });

  it('leave the next one its beginning', () => {
    const pair = attempts([50, 53], [60, 63]);
    expect(soundingFrames(pair, 0, analysisOf(100, everywhere))).toEqual({ startFrame: 48, endFrame: 58 });
    expect(soundingFrames(pair, 1, analysisOf(100, everywhere)).startFrame).toBe(58);
  });

  it('have all of its own symbols, though the next one follows at once', () => {
    const pair = attempts([50, 53], [53, 55]);
    expect(soundingFrames(pair, 0, analysisOf(100, everywhere))).toEqual({ startFrame: 48, endFrame: 53 });
    expect(soundingFrames(pair, 1, analysisOf(100, everywhere)).startFrame).toBe(53);
  });

  it('stay within the recording', () => {
    expect(soundingFrames(attempts([1, 99]), 0, analysisOf(100, everywhere))).toEqual({ startFrame: 0, endFrame: 100 });
    expect(soundingFrames(attempts([0, 100]), 0, analysisOf(100, everywhere))).toEqual({
      startFrame: 0,
      endFrame: 100,
    });
  });

  it('of attempts that follow one another do not overlap', () => {
    for (let gap = 0; gap < 12; gap += 1) {
      const pair = attempts([20, 24], [24 + gap, 30 + gap]);
      for (const isVoiced of [everywhere, () => false]) {
        const analysis = analysisOf(100, isVoiced);
        const [first, second] = [soundingFrames(pair, 0, analysis), soundingFrames(pair, 1, analysis)];
        expect(first.endFrame).toBeLessThanOrEqual(second.startFrame);
        expect(first.endFrame).toBeGreaterThanOrEqual(24);
        expect(second.startFrame).toBeLessThanOrEqual(24 + gap);
      }
    }
  });
});

describe("the model's tones of an attempt", () => {
  it('are the mean over the frames of its rime, by how likely there is any sound', () => {
    const analysis = analysisOf(10);
    const { symbolLogp, toneLogp } = analysis.posteriors;
    const frames: [blank: number, tone: [number, number]][] = [
      [0.2, [0.9, 0.1]],
      [0.6, [0.3, 0.7]],
    ];
    for (const [index, [blank, tones]] of frames.entries()) {
      symbolLogp[(4 + index) * 3] = Math.log(blank);
      toneLogp.set(tones.map(Math.log), (4 + index) * 2);
    }
    const [first, second] = modelToneLogp({ ...attempt(2, 8), rimeStart: 4, rimeEnd: 6 }, analysis);
    expect(first).toBeCloseTo((0.8 * Math.log(0.9) + 0.4 * Math.log(0.3)) / 1.2, 4);
    expect(second).toBeCloseTo((0.8 * Math.log(0.1) + 0.4 * Math.log(0.7)) / 1.2, 4);
  });

  it('say nothing for a consonant alone', () => {
    expect(modelToneLogp({ ...attempt(2, 4), rimeStart: 0, rimeEnd: 0 }, analysisOf(10))).toEqual([0, 0]);
  });
});
