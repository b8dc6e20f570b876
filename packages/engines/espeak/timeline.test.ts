import { describe, expect, it } from 'vitest';
import { ENVELOPE_BINS, FRAME_MS, NOISE_BANDS } from '@jyutsing/audio/vocoder/speech-frames';
import { addSilence, createFrame, createTimeline, type Source, type Stretch } from './timeline.ts';

/** Makes frames whose level rises by a decibel each, voiced from `voicedFrom` on. */
function source(count: number, levelDb: number, voicedFrom = 0): Source {
  const envelopeDb = new Float32Array(count * ENVELOPE_BINS);
  for (let frame = 0; frame < count; frame += 1)
    envelopeDb.fill(levelDb + frame, frame * ENVELOPE_BINS, (frame + 1) * ENVELOPE_BINS);
  const pitchHz = Float32Array.from({ length: count }, (_, frame) => (frame >= voicedFrom ? 120 : 0));
  return {
    frames: { count, pitchHz, envelopeDb, noiseShares: new Float32Array(count * NOISE_BANDS).fill(0.5) },
    startMs: 0,
  };
}

const stretch = (changes: Partial<Stretch>): Stretch => ({
  fromMs: 0,
  toMs: 100,
  source: null,
  sourceFromMs: 0,
  sourceToMs: 100,
  gainsDb: [0, 0],
  ...changes,
});

function levelsAt(timesMs: readonly number[], stretches: readonly Stretch[]): number[] {
  const timeline = createTimeline();
  for (const item of stretches) timeline.add(item);
  return timesMs.map((timeMs) => {
    const frame = createFrame();
    timeline.fill(timeMs, frame);
    return frame.envelopeDb[100]!;
  });
}

const rising = source(21, -40);

describe('a stretch of speech', () => {
  it('shows its source frame by frame, and between frames', () => {
    expect(levelsAt([0, FRAME_MS, 2.5 * FRAME_MS, 50], [stretch({ source: rising })])).toEqual([-40, -39, -37.5, -30]);
  });

  it('may be slower or faster than its source, or a part of it', () => {
    expect(levelsAt([0, 100, 200], [stretch({ source: rising, toMs: 200 })])).toEqual([-40, -30, -20]);
    expect(levelsAt([0, 25, 50], [stretch({ source: rising, toMs: 50, sourceFromMs: 50 })])).toEqual([-30, -25, -20]);
  });

  it('changes its gain evenly', () => {
    expect(levelsAt([0, 50, 100], [stretch({ source: rising, gainsDb: [-10, 10] })])).toEqual([-50, -30, -10]);
  });

  it('is voiced where the nearest frame of its source is', () => {
    const timeline = createTimeline();
    timeline.add(stretch({ source: source(21, -40, 10) }));
    const voiced = [46, 47, 48, 60].map((timeMs) => {
      const frame = createFrame();
      timeline.fill(timeMs, frame);
      return frame.isVoiced;
    });
    expect(voiced).toEqual([false, false, true, true]);
  });

  it('keeps the level of its last frame beyond the end of the source', () => {
    expect(levelsAt([100, 150], [stretch({ source: rising, toMs: 200, sourceToMs: 400 })])).toEqual([-20, -20]);
  });
});

const flat = (levelDb: number): Source => {
  const flatSource = source(61, 0);
  flatSource.frames.envelopeDb.fill(levelDb);
  return flatSource;
};

describe('the joint of two stretches', () => {
  it('fades from one to the other over 20 ms', () => {
    const levels = levelsAt(
      [80, 95, 99.999, 100, 105, 115],
      [stretch({ source: flat(-20) }), stretch({ source: flat(-40), fromMs: 100, toMs: 200 })],
    );
    expect(levels.map((level) => Math.round(level))).toEqual([-20, -25, -30, -30, -35, -40]);
  });

  it('within one source has no fade', () => {
    const quiet = flat(-20);
    expect(
      levelsAt(
        [95, 105],
        [stretch({ source: quiet }), stretch({ source: quiet, fromMs: 100, toMs: 200, gainsDb: [6, 6] })],
      ),
    ).toEqual([-20, -14]);
  });

  it('to silence has no fade either, and silence is below what 16 bits can hold', () => {
    const [speech, silence] = levelsAt(
      [99, 101],
      [stretch({ source: flat(-20) }), stretch({ fromMs: 100, toMs: 200 })],
    );
    expect(speech).toBe(-20);
    expect(silence).toBeLessThan(-96);
  });
});

it('silence is added at the end, and no silence for no time', () => {
  const timeline = createTimeline();
  expect(timeline.endMs()).toBe(0);
  timeline.add(stretch({ source: rising }));
  addSilence(timeline, 0);
  addSilence(timeline, -5);
  expect(timeline.endMs()).toBe(100);
  addSilence(timeline, 30);
  expect(timeline.endMs()).toBe(130);
});

it('an empty timeline is silent', () => {
  expect(levelsAt([0], [])[0]).toBeLessThan(-96);
});
