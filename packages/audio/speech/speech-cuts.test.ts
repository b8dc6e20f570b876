import { describe, expect, it } from 'vitest';
import { frames, isSpeechEnough, longestPause, quietestFrame } from './speech-cuts.ts';
import type { GatedFrame } from './speech-gate.ts';

type Kind = 'vowel' | 'hiss' | 'pause';

function frameOf(kind: Kind, levelDb: number): GatedFrame {
  const isSpeech = kind !== 'pause';
  return { isVoice: isSpeech, isSpeech, levelDb, periodicity: kind === 'vowel' ? 0.9 : 0.1 };
}

/** Makes runs of `count` frames of 20 ms; the level is by default that of their kind. */
function piece(...runs: [kind: Kind, count: number, levelDb?: number][]): GatedFrame[] {
  return runs.flatMap(([kind, count, levelDb = kind === 'pause' ? -70 : -20]) =>
    Array.from({ length: count }, () => frameOf(kind, levelDb)),
  );
}

const levels = (...values: number[]) => values.map((levelDb) => frameOf('vowel', levelDb));

it.each([
  [0, 0],
  [20, 1],
  [100, 5],
  [1_500, 75],
])('%i ms are %i frames', (ms, count) => {
  expect(frames(ms)).toBe(count);
});

describe('enough speech', () => {
  it.each<[string, GatedFrame[], boolean]>([
    ['nothing', [], false],
    ['silence', piece(['pause', 100]), false],
    ['60 ms, a click', piece(['vowel', 3]), false],
    ['80 ms', piece(['vowel', 4]), true],
    ['80 ms in parts', piece(['vowel', 2], ['pause', 50], ['vowel', 2]), true],
    ['80 ms of which 60 ms have a pitch', piece(['vowel', 3], ['hiss', 1]), true],
    ['80 ms of which 40 ms have a pitch', piece(['vowel', 2], ['hiss', 2]), false],
    ['hiss, however long', piece(['hiss', 500]), false],
    [
      'a pitch outside of speech',
      piece(['hiss', 10], ['pause', 5]).concat({ ...frameOf('vowel', -20), isSpeech: false }),
      false,
    ],
    ['an even tone of 980 ms', piece(['vowel', 49]), true],
    ['an even tone of 1 s', piece(['vowel', 50]), false],
    ['an even tone of 10 s with pauses', piece(['vowel', 300], ['pause', 100], ['vowel', 300]), false],
    ['a tone of 1 s that becomes louder by 3 dB', piece(['vowel', 25, -23], ['vowel', 25, -20]), true],
    ['a tone of 1 s that becomes louder by 2.9 dB', piece(['vowel', 25, -22.9], ['vowel', 25, -20]), false],
    // The loudest and the quietest tenth of the frames do not count.
    ['a tone of 2 s with a loud tenth', piece(['vowel', 90, -30], ['vowel', 10, -5]), true],
    ['a tone of 2 s with a loud twentieth', piece(['vowel', 95, -30], ['vowel', 5, -5]), false],
  ])('%s', (_name, frames, expected) => {
    expect(isSpeechEnough(frames)).toBe(expected);
  });
});

describe('the longest pause', () => {
  it.each<[string, GatedFrame[], number | null]>([
    ['is cut in its middle', piece(['vowel', 75], ['pause', 6], ['vowel', 20]), 78],
    ['of an odd length is cut before its middle', piece(['vowel', 75], ['pause', 7], ['vowel', 20]), 78],
    ['of 100 ms is long enough', piece(['vowel', 80], ['pause', 5], ['vowel', 80]), 82],
    ['of 80 ms is a stop in a word', piece(['vowel', 80], ['pause', 4], ['vowel', 80]), null],
    ['before which there are less than 1.5 s does not count', piece(['vowel', 74], ['pause', 30], ['vowel', 99]), null],
    ['after such a one counts', piece(['vowel', 9], ['pause', 30], ['vowel', 90], ['pause', 6], ['vowel', 9]), 132],
    ['is the longer of two', piece(['vowel', 80], ['pause', 6], ['vowel', 20], ['pause', 8], ['vowel', 20]), 110],
    [
      'is the longer of two, though it comes first',
      piece(['vowel', 80], ['pause', 8], ['vowel', 20], ['pause', 6], ['vowel', 20]),
      84,
    ],
    [
      'is the first of two equal ones',
      piece(['vowel', 80], ['pause', 8], ['vowel', 20], ['pause', 8], ['vowel', 9]),
      84,
    ],
    ['may be at the end', piece(['vowel', 75], ['pause', 6]), 78],
    ['at the end is cut where it would be before more speech', piece(['vowel', 100], ['pause', 20]), 110],
    ['is not silence without speech before it', piece(['pause', 200]), null],
    ['is not there in speech', piece(['vowel', 200]), null],
    ['is not there without sound', [], null],
  ])('%s', (_name, frames, expected) => {
    expect(longestPause(frames)).toBe(expected);
  });

  it('is the same whether or not speech follows', () => {
    for (let before = 70; before < 90; before += 1) {
      for (let length = 1; length < 30; length += 1) {
        const frames = piece(['vowel', before], ['pause', length]);
        expect(longestPause(frames)).toBe(longestPause([...frames, frameOf('vowel', -20)]));
      }
    }
  });
});

describe('the quietest frame', () => {
  it('is the middle of five quiet ones', () => {
    expect(quietestFrame(piece(['vowel', 13], ['vowel', 5, -60], ['vowel', 12]))).toBe(15);
  });

  it('is not a single quiet one between loud ones', () => {
    const frames = piece(['vowel', 40]);
    frames[25] = frameOf('vowel', -90);
    frames.splice(30, 5, ...levels(-30, -30, -30, -30, -30));
    expect(quietestFrame(frames)).toBe(32);
  });

  it('is in the second half, so that the first piece is useful', () => {
    const frames = piece(['vowel', 10], ['vowel', 9, -90], ['vowel', 21]);
    frames.splice(26, 5, ...levels(-25, -25, -25, -25, -25));
    expect(quietestFrame(frames)).toBe(28);
  });

  it('is within the sound for any length', () => {
    for (let length = 1; length < 40; length += 1) {
      const index = quietestFrame(piece(['vowel', length]));
      expect(index).toBeGreaterThanOrEqual(Math.floor(length / 2));
      expect(index).toBeLessThan(length);
    }
  });
});
