import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import type { VoiceWindow } from './frames.ts';
import { findSpeakers, type SpeakerOptions } from './speakers.ts';

const SIZE = 16;
const STATISTICS = { between: Array.from({ length: SIZE }, () => 3) };
const RULES: SpeakerOptions = {
  groupFrom: [0.2, 0.35],
  longGroupFrom: 0.35,
  assignment: { evidence: 1.2, parsimony: 2, staying: 0.6, iterations: 25 },
  fullEvidenceWindows: 200,
  minSpeechMs: 5_000,
  enoughShare: 0.1,
  minShare: 0.015,
};

/** Makes a conversation: runs of windows of 1.5 s, each with one of the voices and some noise. */
function conversation(runs: readonly [voice: number, windows: number][], noise = 0.05, seed = 1): VoiceWindow[] {
  const random = randomFrom(seed);
  let frame = 0;
  return runs.flatMap(([voice, count]) =>
    Array.from({ length: count }, () => {
      const raw = Float32Array.from({ length: SIZE }, (_, i) => (i === voice ? 1 : 0) + noise * (2 * random() - 1));
      const length = Math.hypot(...raw);
      const window = { fromFrame: frame, toFrame: frame + 75, voice: raw.map((value) => value / length) };
      frame += 75;
      return window;
    }),
  );
}

/** Returns the voices that were found, by the dimension in which each is largest. */
const foundIn = (windows: readonly VoiceWindow[], range?: { min: number; max: number }) =>
  findSpeakers(windows, STATISTICS, RULES, range).map((voice) => voice.indexOf(Math.max(...voice)));

describe('the speakers of a recording', () => {
  it('are none without speech', () => {
    expect(findSpeakers([], STATISTICS, RULES)).toEqual([]);
  });

  it.each([
    ['one', [[0, 20]], [0]],
    [
      'two in turn',
      [
        [0, 6],
        [1, 6],
        [0, 6],
        [1, 6],
      ],
      [0, 1],
    ],
    [
      'four',
      [
        [0, 8],
        [1, 8],
        [2, 8],
        [3, 8],
      ],
      [0, 1, 2, 3],
    ],
  ] as [string, [number, number][], number[]][])('are %s', (_name, runs, expected) => {
    expect(foundIn(conversation(runs)).toSorted()).toEqual(expected);
  });

  it('are unit vectors near the voices', () => {
    const windows = conversation([
      [0, 10],
      [1, 10],
    ]);
    for (const voice of findSpeakers(windows, STATISTICS, RULES)) {
      expect(Math.hypot(...voice)).toBeCloseTo(1, 5);
      expect(Math.max(...voice)).toBeGreaterThan(0.95);
    }
  });

  it('with less than five seconds of speech are none of their own', () => {
    expect(
      foundIn(
        conversation([
          [0, 40],
          [1, 3],
        ]),
      ),
    ).toEqual([0]);
    expect(
      foundIn(
        conversation([
          [0, 40],
          [1, 4],
        ]),
      ).toSorted(),
    ).toEqual([0, 1]);
  });

  it('need less speech in a short recording', () => {
    expect(
      foundIn(
        conversation([
          [0, 16],
          [1, 3],
        ]),
      ).toSorted(),
    ).toEqual([0, 1]);
  });

  it('are the same whichever groups the windows begin in, as the likeliest assignment counts', () => {
    const windows = conversation(
      [
        [0, 8],
        [1, 8],
        [0, 8],
        [2, 8],
      ],
      0.2,
    );
    const beginning = (groupFrom: number[]) => findSpeakers(windows, STATISTICS, { ...RULES, groupFrom }).length;
    // A single group stays one speaker, so a finer beginning is likelier.
    expect(beginning([-1])).toBe(1);
    expect(beginning([-1, 0.35])).toBe(3);
    expect(beginning([0.35, -1])).toBe(3);
  });

  it('with less than a hundredth of a long recording are none of their own', () => {
    expect(
      foundIn(
        conversation([
          [0, 600],
          [1, 5],
        ]),
      ),
    ).toEqual([0]);
  });

  it('are as many in an hour of the same voices as in a minute', () => {
    const turns: readonly [number, number][] = [
      [0, 6],
      [1, 6],
      [0, 6],
      [1, 6],
    ];
    const minute = conversation(turns, 0.6);
    const hour = Array.from({ length: 60 }, (_, index) =>
      minute.map((window) => ({
        ...window,
        fromFrame: window.fromFrame + index * minute.length * 75,
        toFrame: window.toFrame + index * minute.length * 75,
      })),
    ).flat();
    expect(findSpeakers(minute, STATISTICS, RULES)).toHaveLength(2);
    expect(findSpeakers(hour, STATISTICS, RULES)).toHaveLength(2);
    // Without the limit, chance likeness of windows, often enough repeated, makes speakers.
    expect(findSpeakers(hour, STATISTICS, { ...RULES, fullEvidenceWindows: Infinity }).length).toBeGreaterThan(2);
  });

  it('are at least one, however short the recording is', () => {
    expect(foundIn(conversation([[2, 1]]))).toEqual([2]);
  });
});

describe('the wanted number of speakers', () => {
  const three = conversation([
    [0, 8],
    [1, 8],
    [2, 8],
  ]);

  it('joins the most similar ones where there are more', () => {
    expect(foundIn(three, { min: 1, max: 2 })).toHaveLength(2);
    expect(foundIn(three, { min: 1, max: 1 })).toHaveLength(1);
  });

  it('divides the recording where there are fewer, as far as there are windows', () => {
    expect(foundIn(three, { min: 5, max: 5 })).toHaveLength(5);
    expect(foundIn(conversation([[0, 2]]), { min: 4, max: 4 })).toHaveLength(2);
  });

  it('that is right changes nothing', () => {
    expect(foundIn(three, { min: 3, max: 3 }).toSorted()).toEqual([0, 1, 2]);
    expect(foundIn(three, { min: 2, max: 8 }).toSorted()).toEqual([0, 1, 2]);
  });
});
