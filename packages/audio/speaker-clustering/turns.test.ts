import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActivityTrack, SPEAKER_FRAME_MS, type ActivityTrack, type VoiceWindow } from './frames.ts';
import { makeTurns, type TurnOptions } from './speaker-turns.ts';
import { NO_SPEAKER, smoothSpeakers, type SmoothingOptions } from './viterbi-smoothing.ts';
import { voiceWindows, type WindowOptions } from './windows.ts';

type Stretch = { ms: number; speech?: number; overlap?: number };

/** Makes a track of stretches of speech (1) or silence (0), and overlapping speech. */
function trackOf(...stretches: Stretch[]): ActivityTrack {
  const track = createActivityTrack();
  let frame = 0;
  for (const { ms, speech = 1, overlap = 0 } of stretches) {
    const until = frame + ms / SPEAKER_FRAME_MS;
    while (frame < until) track.set(frame++, { speech, overlap });
  }
  return track;
}

const frames = (ms: number) => ms / SPEAKER_FRAME_MS;

/** Writes the stretches of each speaker as text: `0:1000 -:200 1:500`. */
const spans = (path: Uint8Array) => {
  const stretches: { speaker: number; ms: number }[] = [];
  for (const speaker of path) {
    const last = stretches.at(-1);
    if (last?.speaker === speaker) last.ms += SPEAKER_FRAME_MS;
    else stretches.push({ speaker, ms: SPEAKER_FRAME_MS });
  }
  return stretches.map(({ speaker, ms }) => `${speaker === NO_SPEAKER ? '-' : speaker}:${ms}`).join(' ');
};

/** Makes the speaker of each frame from stretches in milliseconds. */
const pathOf = (...stretches: [speaker: number, ms: number][]) =>
  Uint8Array.from(stretches.flatMap(([speaker, ms]) => Array<number>(frames(ms)).fill(speaker)));

const window = (fromMs: number, toMs: number, voice: Float32Array): VoiceWindow => ({
  fromFrame: frames(fromMs),
  toFrame: frames(toMs),
  voice,
});

describe('an activity track', () => {
  it('keeps probabilities within a two-hundredth, and is silent where nothing was set', () => {
    const track = createActivityTrack();
    track.set(3, { speech: 0.5, overlap: 0.25 });
    track.set(1, { speech: 7, overlap: -1 });
    expect(track.length()).toBe(4);
    expect([0, 1, 2, 3, 9].map((frame) => Math.round(track.speechAt(frame) * 100))).toEqual([0, 100, 0, 50, 0]);
    expect([1, 3].map((frame) => Math.round(track.overlapAt(frame) * 100))).toEqual([0, 25]);
  });

  it('keeps earlier frames when it grows for hours', () => {
    const track = createActivityTrack();
    track.set(0, { speech: 1, overlap: 1 });
    track.set(1_000_000, { speech: 1, overlap: 0 });
    expect([track.speechAt(0), track.overlapAt(0), track.speechAt(500_000), track.length()]).toEqual([
      1, 1, 0, 1_000_001,
    ]);
  });
});

describe('windows for voice embeddings', () => {
  const rules: WindowOptions = {
    speechFrom: 0.5,
    overlapFrom: 0.5,
    windowMs: 1_500,
    hopMs: 750,
    minMs: 400,
    bridgedMs: 200,
  };
  const windowsOf = (track: ActivityTrack) =>
    voiceWindows(track, { fromFrame: 0, toFrame: track.length() }, rules).map(({ fromFrame, toFrame }) => [
      fromFrame * SPEAKER_FRAME_MS,
      toFrame * SPEAKER_FRAME_MS,
    ]);

  it.each<[string, Stretch[], number[][]]>([
    ['silence has none', [{ ms: 3_000, speech: 0 }], []],
    ['speech that is too short has none', [{ ms: 380 }], []],
    ['short speech is one window', [{ ms: 1_000 }], [[0, 1_000]]],
    ['speech of one window is one window', [{ ms: 1_500 }], [[0, 1_500]]],
    [
      'longer speech is covered to both ends, evenly',
      [{ ms: 3_000 }],
      [
        [0, 1_500],
        [760, 2_260],
        [1_500, 3_000],
      ],
    ],
    ['a short pause is part of a window', [{ ms: 600 }, { ms: 200, speech: 0 }, { ms: 600 }], [[0, 1_400]]],
    [
      'a longer pause separates windows',
      [{ ms: 600 }, { ms: 240, speech: 0 }, { ms: 600 }],
      [
        [0, 600],
        [840, 1_440],
      ],
    ],
    [
      'overlapping speech is in none',
      [{ ms: 600 }, { ms: 100, overlap: 1 }, { ms: 600 }],
      [
        [0, 600],
        [700, 1_300],
      ],
    ],
    ['a single doubtful frame does not split one', [{ ms: 600 }, { ms: 20, overlap: 1 }, { ms: 600 }], [[0, 1_220]]],
  ])('%s', (_name, stretches, expected) => {
    expect(windowsOf(trackOf(...stretches))).toEqual(expected);
  });

  it('stay within the given part of the recording', () => {
    const track = trackOf({ ms: 10_000 });
    const part = { fromFrame: frames(2_000), toFrame: frames(5_000) };
    const windows = voiceWindows(track, part, rules);
    expect(windows.at(0)?.fromFrame).toBe(part.fromFrame);
    expect(windows.at(-1)?.toFrame).toBe(part.toFrame);
  });
});

describe('the speaker of each frame', () => {
  const rules: SmoothingOptions = {
    speechFrom: 0.5,
    certainty: 10,
    changeCost: 4,
    changeCostAfterPause: 1,
    pauseMs: 300,
  };
  const ANNA = Float32Array.of(1, 0);
  const BEN = Float32Array.of(0, 1);

  it('follows the voices and leaves pauses without a speaker', () => {
    const track = trackOf({ ms: 2_000 }, { ms: 500, speech: 0 }, { ms: 2_000 });
    const windows = [window(0, 2_000, ANNA), window(2_500, 4_500, BEN)];
    expect(spans(smoothSpeakers(track, windows, [ANNA, BEN], rules))).toBe('0:2000 -:500 1:2000');
  });

  it('ignores a moment that sounds like another voice', () => {
    const track = trackOf({ ms: 4_200 });
    const windows = [window(0, 2_000, ANNA), window(2_000, 2_200, BEN), window(2_200, 4_200, ANNA)];
    expect(spans(smoothSpeakers(track, windows, [ANNA, BEN], rules))).toBe('0:4200');
  });

  it('is the first speaker everywhere when there is only one', () => {
    const track = trackOf({ ms: 400 }, { ms: 100, speech: 0 }, { ms: 400 });
    expect(spans(smoothSpeakers(track, [], [ANNA], rules))).toBe('0:400 -:100 0:400');
  });

  it('of a recording without speech is nobody', () => {
    expect(spans(smoothSpeakers(trackOf({ ms: 1_000, speech: 0 }), [], [ANNA, BEN], rules))).toBe('-:1000');
    expect(smoothSpeakers(createActivityTrack(), [], [ANNA, BEN], rules)).toHaveLength(0);
  });
});

describe('turns', () => {
  const rules: TurnOptions = {
    overlapFrom: 0.5,
    minOverlapMs: 200,
    neighborMs: 2_000,
    minHiddenMs: 1_000,
    minHiddenShare: 0.03,
    bridgedMs: 200,
    minTurnMs: 200,
  };
  const turnsOf = (path: Uint8Array, track = trackOf({ ms: path.length * SPEAKER_FRAME_MS })) =>
    makeTurns(path, track, path.length * SPEAKER_FRAME_MS, rules).map(({ speaker, startMs, endMs }) => [
      speaker,
      startMs,
      endMs,
    ]);
  const NONE = NO_SPEAKER;

  it('are numbered by first appearance, without gaps', () => {
    expect(turnsOf(pathOf([7, 1_000], [NONE, 500], [3, 1_000]))).toEqual([
      [0, 0, 990],
      [1, 1_490, 2_490],
    ]);
  });

  it('bridge short gaps, and shorter turns are dropped', () => {
    expect(turnsOf(pathOf([0, 500], [NONE, 200], [0, 500], [NONE, 500], [1, 160], [NONE, 500]))).toEqual([
      [0, 0, 1_190],
    ]);
  });

  it('of both speakers cover an overlap', () => {
    const path = pathOf([0, 1_000], [1, 1_000]);
    const track = trackOf({ ms: 800 }, { ms: 400, overlap: 1 }, { ms: 800 });
    expect(turnsOf(path, track)).toEqual([
      [0, 0, 1_190],
      [1, 790, 1_990],
    ]);
  });

  it('do not overlap for a moment too short to be an overlap', () => {
    const path = pathOf([0, 1_000], [1, 1_000]);
    const track = trackOf({ ms: 920 }, { ms: 160, overlap: 1 }, { ms: 920 });
    expect(turnsOf(path, track)).toEqual([
      [0, 0, 990],
      [1, 990, 1_990],
    ]);
  });

  it('an overlap without another speaker near it has one turn', () => {
    const path = pathOf([0, 6_000], [1, 1_000]);
    const track = trackOf({ ms: 500 }, { ms: 400, overlap: 1 }, { ms: 6_100 });
    expect(turnsOf(path, track).map(([speaker]) => speaker)).toEqual([0, 1]);
  });

  it('of a second speaker who is only heard in overlap cover it', () => {
    const path = pathOf([0, 6_000]);
    const track = trackOf(
      { ms: 2_000 },
      { ms: 600, overlap: 1 },
      { ms: 1_400 },
      { ms: 600, overlap: 1 },
      { ms: 1_400 },
    );
    expect(turnsOf(path, track)).toEqual([
      [0, 0, 5_990],
      [1, 1_990, 2_590],
      [1, 3_990, 4_590],
    ]);
    expect(makeTurns(path, track, 6_000, rules, 1)).toHaveLength(1);
  });

  it('have one speaker where there is little overlap, in all or beside the speech', () => {
    const brief = trackOf({ ms: 2_000 }, { ms: 600, overlap: 1 }, { ms: 3_400 });
    expect(turnsOf(pathOf([0, 6_000]), brief)).toHaveLength(1);
    const long = trackOf({ ms: 2_000 }, { ms: 1_200, overlap: 1 }, { ms: 56_800 });
    expect(turnsOf(pathOf([0, 60_000]), long)).toHaveLength(1);
  });

  it('of any recording are ordered, within it, long enough and numbered without gaps', () => {
    const stretch = record({
      speaker: constantFrom(0, 1, 2, 59, NONE),
      count: integer({ min: 1, max: 60 }),
      overlap: constantFrom(0, 0, 1),
    });
    assert(
      property(array(stretch, { maxLength: 30 }), (stretches) => {
        const path = pathOf(...stretches.map(({ speaker, count }) => [speaker, count * 20] as [number, number]));
        const track = trackOf(...stretches.map(({ count, overlap }) => ({ ms: count * 20, overlap })));
        const durationMs = path.length * SPEAKER_FRAME_MS;
        const turns = makeTurns(path, track, durationMs, rules);
        let lastStartMs = 0;
        let speakers = 0;
        for (const { startMs, endMs, speaker } of turns) {
          expect(startMs).toBeGreaterThanOrEqual(lastStartMs);
          expect(endMs - startMs).toBeGreaterThanOrEqual(rules.minTurnMs - SPEAKER_FRAME_MS);
          expect(endMs).toBeLessThanOrEqual(durationMs);
          expect(speaker).toBeLessThanOrEqual(speakers);
          speakers = Math.max(speakers, speaker + 1);
          lastStartMs = startMs;
        }
      }),
      { numRuns: 200 },
    );
  });
});
