import { describe, expect, it } from 'vitest';
import type { AcousticAnalysis, ToneQuestion } from '#engines/builtin/pronunciation/types.ts';
import { CONTOUR_POINTS, measureContours, measurePitchCourse, type PitchCourse } from './measure-contour.ts';

/** Frame length of the acoustic model; the pitch has six values for each frame. */
const FRAME_MS = 30;
const PITCH_MS = 5;
const semitonesOf = (hz: number) => 12 * Math.log2(hz);

/**
 * Makes a course of the pitch from runs of 5 ms values: a constant, or a change from one value to
 * another.
 */
function courseOf(...runs: [count: number, fromHz: number, toHz?: number, levelDb?: number][]): PitchCourse {
  const values = runs.flatMap(([count, fromHz, toHz = fromHz, levelDb = fromHz > 0 ? -20 : -70]) =>
    Array.from({ length: count }, (_, at) => {
      const share = count > 1 ? at / (count - 1) : 0;
      // The change is even in semitones.
      return { hz: fromHz > 0 ? fromHz * (toHz / fromHz) ** share : 0, levelDb };
    }),
  );
  return {
    pitchHz: Float32Array.from(values, ({ hz }) => hz),
    levelDb: Float32Array.from(values, ({ levelDb }) => levelDb),
  };
}

const question = (startFrame: number, endFrame: number): ToneQuestion => {
  return { expected: [1], rime: 'aa', startFrame, endFrame, modelLogp: [] };
};

/** Makes an analysis whose front end is sure of one pitch in all frames, or of none. */
function analysisOf(frames: number, hz: number | null = null): Pick<AcousticAnalysis, 'labels' | 'pitch'> {
  const pitch = new Float32Array(frames * 2);
  for (let frame = 0; frame < frames; frame += 1) pitch.set([Math.log2(hz ?? 1), hz === null ? 0 : 1], frame * 2);
  const labels = { frameMs: FRAME_MS, onsets: [], rimes: [], tones: 6, phones: [] };
  return { labels, pitch };
}

/** Returns the contour of one syllable that has the whole course for itself. */
function contourOf(course: PitchCourse, frontEndHz: number | null = null) {
  const frames = Math.ceil((course.pitchHz.length * PITCH_MS) / FRAME_MS);
  return measureContours([question(0, frames)], analysisOf(frames, frontEndHz), course)[0]!;
}

describe('the contour of a syllable', () => {
  it('of a level tone is level', () => {
    const { points, startMs, endMs } = contourOf(courseOf([20, 0], [40, 200], [20, 0]))!;
    expect([...points]).toEqual(Array.from({ length: CONTOUR_POINTS }, () => expect.closeTo(semitonesOf(200), 4)));
    // The consonants beside a vowel bend its first 10 and last 5 ms.
    expect([startMs, endMs]).toEqual([110, 295]);
  });

  it.each([
    ['rises', 150, 220],
    ['falls', 220, 150],
  ])('%s evenly with the pitch', (_name, fromHz, toHz) => {
    const { points } = contourOf(courseOf([10, 0], [60, fromHz, toHz], [10, 0]))!;
    const steps = Array.from(points.slice(1), (point, at) => point - points[at]!);
    const range = semitonesOf(toHz) - semitonesOf(fromHz);
    for (const step of steps) expect(step / range).toBeCloseTo(1 / CONTOUR_POINTS, 1);
    expect(points[3]).toBeCloseTo((semitonesOf(fromHz) + semitonesOf(toHz)) / 2, 0);
  });

  it.each([
    ['silence', courseOf([100, 0])],
    ['15 ms of voice', courseOf([20, 0], [3, 200], [20, 0])],
    ['no sound', courseOf()],
  ])('is none in %s', (_name, course) => {
    expect(contourOf(course)).toBeNull();
  });

  it('is measured from 20 ms of voice on', () => {
    expect(contourOf(courseOf([20, 0], [4, 200], [20, 0]))).not.toBeNull();
  });

  it('leaves out what is 18 dB below the loudest', () => {
    const quiet = contourOf(courseOf([40, 200], [40, 100, 100, -38.1]))!;
    expect(quiet.endMs).toBeLessThanOrEqual(200);
    const audible = contourOf(courseOf([40, 200], [40, 190, 190, -37.9]))!;
    expect(audible.endMs).toBeGreaterThan(380);
  });

  it('is that of the louder of two voices that are far apart', () => {
    const { points } = contourOf(courseOf([30, 120, 120, -24], [60, 0], [30, 260, 260, -20]))!;
    expect(points[3]).toBeCloseTo(semitonesOf(260), 3);
  });

  it('goes on after a voice break', () => {
    const { points, startMs, endMs } = contourOf(courseOf([30, 200], [10, 0], [30, 230]))!;
    expect(endMs - startMs).toBeGreaterThan(320);
    expect(points[0]).toBeCloseTo(semitonesOf(200), 1);
    expect(points[6]).toBeCloseTo(semitonesOf(230), 1);
  });

  it('begins before a voice break', () => {
    const { points, startMs } = contourOf(courseOf([30, 200, 200, -24], [10, 0], [30, 230]))!;
    expect(startMs).toBeLessThan(50);
    expect(points[0]).toBeCloseTo(semitonesOf(200), 1);
  });

  it.each([
    ['120 ms', 24, true],
    ['125 ms', 25, false],
  ])('over a break of %s goes on: %s', (_name, gap, isJoined) => {
    const { startMs } = contourOf(courseOf([30, 200, 200, -24], [gap, 0], [30, 205]))!;
    expect(startMs < 100).toBe(isJoined);
    const { endMs } = contourOf(courseOf([30, 205], [gap, 0], [30, 200, 200, -24]))!;
    expect(endMs > 200).toBe(isJoined);
  });

  it('is corrected where a creaking voice is tracked an octave too low', () => {
    const { points } = contourOf(courseOf([40, 200], [15, 99]))!;
    expect(points[6]).toBeCloseTo(semitonesOf(198), 1);
  });

  it('ignores single wrong values', () => {
    const course = courseOf([60, 200]);
    for (const at of [20, 33, 47]) course.pitchHz[at] = 225;
    expect([...contourOf(course)!.points].every((point) => Math.abs(point - semitonesOf(200)) < 0.01)).toBe(true);
  });
});

describe('the octave of a contour', () => {
  it.each([
    [100, 200, 200],
    [400, 200, 200],
    [200, 200, 200],
    // A fifth is another tone, and not another octave.
    [200, 300, 200],
  ])('tracked at %i Hz, with the front end at %i Hz, is %i Hz', (hz, frontEndHz, expectedHz) => {
    const { points } = contourOf(courseOf([60, hz]), frontEndHz)!;
    expect(points[3]).toBeCloseTo(semitonesOf(expectedHz), 3);
  });

  it('stays as it was tracked where the front end is not sure', () => {
    expect(contourOf(courseOf([60, 100]), null)!.points[3]).toBeCloseTo(semitonesOf(100), 3);
  });
});

describe('syllables that follow one another', () => {
  it('have the voice between their neighbors', () => {
    // The three syllables have 300 ms each: frames 0–10, 10–20, 20–30.
    const course = courseOf([60, 150], [60, 200], [60, 250]);
    const questions = [question(2, 10), question(10, 20), question(20, 30)];
    const contours = measureContours(questions, analysisOf(30), course);
    const heights = contours.map((contour) => Math.round(2 ** (contour!.points[3]! / 12)));
    expect(heights).toEqual([150, 200, 250]);
    for (const [index, contour] of contours.entries()) {
      expect(contour!.startMs).toBeGreaterThanOrEqual(index * 300 - 30);
      expect(contour!.endMs).toBeLessThanOrEqual((index + 1) * 300 + 5);
    }
  });

  it('aligned to a single frame began before it', () => {
    const course = courseOf([60, 0], [50, 200], [20, 0]);
    const [, second] = measureContours([question(0, 6), question(17, 18)], analysisOf(22), course);
    expect(second!.startMs).toBeLessThan(320);
  });

  it('beyond the end of the sound have no contour', () => {
    const contours = measureContours([question(0, 5), question(50, 60)], analysisOf(70), courseOf([30, 200]));
    expect(contours[0]).not.toBeNull();
    expect(contours[1]).toBeNull();
  });
});

describe('the pitch of a recording', () => {
  const RATE_HZ = 16_000;
  /** Makes a voice with ten harmonics, each weaker than the one below it. */
  const voice = (hzAt: (second: number) => number, seconds: number) => {
    let phase = 0;
    return Float32Array.from({ length: RATE_HZ * seconds }, (_, at) => {
      phase += (2 * Math.PI * hzAt(at / RATE_HZ)) / RATE_HZ;
      let sample = 0;
      for (let harmonic = 1; harmonic <= 10; harmonic += 1) sample += Math.sin(harmonic * phase) / harmonic;
      return 0.1 * sample;
    });
  };

  it.each([80, 120, 210, 350, 500])('is followed at %i Hz', (hz) => {
    const { points } = contourOf(
      measurePitchCourse(
        voice(() => hz, 0.5),
        RATE_HZ,
      ),
    )!;
    for (const point of points) expect(Math.abs(point - semitonesOf(hz))).toBeLessThan(0.2);
  });

  it('is followed through a rise of five semitones', () => {
    const course = measurePitchCourse(
      voice((second) => 180 * 2 ** ((10 * second) / 12), 0.5),
      RATE_HZ,
    );
    const { points } = contourOf(course)!;
    expect(points[6]! - points[0]!).toBeGreaterThan(3.5);
    expect(points[6]! - points[0]!).toBeLessThan(5);
  });

  it('has the level of the sound', () => {
    const { levelDb } = measurePitchCourse(new Float32Array(RATE_HZ).fill(0.1), RATE_HZ);
    expect(levelDb[100]).toBeCloseTo(-20, 1);
    const { levelDb: silent } = measurePitchCourse(new Float32Array(RATE_HZ), RATE_HZ);
    expect(silent[100]).toBeLessThan(-80);
  });
});
