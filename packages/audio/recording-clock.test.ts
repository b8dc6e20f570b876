import { describe, expect, it } from 'vitest';
import { RecordingClock, type ClockStart } from './recording-clock.ts';

const RATE_HZ = 8_000;
/** 20 ms. */
const FRAME = 160;
const NO_TIME = -(2n ** 63n);

/**
 * Places frames of 20 ms at times in milliseconds; null has no time, `x` is a packet of a pause and
 * `d` a damaged one, which are skipped.
 */
function place(times: readonly (number | null | 'x' | 'd')[], start: Partial<ClockStart> = {}) {
  const clock = new RecordingClock({ tickMs: 1, startMs: 0, priming: { samples: 0 }, ...start });
  const first = times[0];
  if (typeof first === 'number') clock.begin(BigInt(first));
  const silences: (number | null)[] = [];
  for (const time of times) {
    if (time === 'x' || time === 'd') clock.skipPacket(20n, time === 'x');
    else {
      const silence = clock.place(time === null ? NO_TIME : BigInt(time), FRAME, RATE_HZ);
      silences.push(silence === null ? null : silence / 8);
    }
  }
  silences.push(clock.end(RATE_HZ) / 8);
  return { silences, endMs: clock.positionMs, gapMs: clock.gapMs, lastMs: clock.lastMs };
}

const HOUR_MS = 3_600_000;
const NUMBERS: Partial<ClockStart> = { tickMs: 21, states: 'numbers' };

describe('silence in milliseconds before each frame of 20 ms and at the end', () => {
  it.each<[string, (number | null | 'x' | 'd')[], (number | null)[], Partial<ClockStart>?]>([
    ['frames in a row', [0, 20, 40], [0, 0, 0, 0]],
    ['a late start', [300, 320], [300, 0, 0]],
    ['a late start of a few milliseconds', [7, 27], [7, 0, 0]],
    ['a start as late as the whole file', [5_000, 5_020], [0, 0, 0], { startMs: 5_000 }],
    ['a start of which nothing is known', [5_000, 5_020, 5_140], [0, 0, 100, 0], { startMs: null }],
    ['a start more than an hour later than the file', [HOUR_MS + 1_000, HOUR_MS + 1_020], [0, 0, 0]],
    ['a start before the file', [-40, -20, 0], [null, null, 0, 0]],
    ['a start long before the file', [-9_000, -8_980], [0, 0, 0]],
    ['a gap', [0, 120, 140], [0, 100, 0, 0]],
    ['jitter', [0, 60, 50, 80, 75], [0, 0, 0, 0, 0, 0]],
    ['a drift, which is filled when it is as long as a gap', [0, 40, 80, 115], [0, 0, 0, 55, 0]],
    ['an overlap, for which the next gap is shorter', [0, 20, 20, 40, 160], [0, 0, 0, 0, 80, 0]],
    ['a gap of an hour', [0, HOUR_MS], [0, HOUR_MS - 20, 0]],
    ['a gap longer than allowed', [0, 120, 400], [0, 100, 0, 0], { maxGapMs: 200 }],
    ['numbers of frames that are a little shorter', [0, 1, 2, 3], [0, 0, 0, 0, 0], NUMBERS],
    ['numbers of frames, of which some are empty', [0, 1, 2, 3, 4, 5, 9, 10], [0, 0, 0, 0, 0, 0, 64, 0, 0], NUMBERS],
    ['numbers of frames, each behind many empty ones', [0, 900, 1_800, 2_700], [0, 0, 0, 0, 0], NUMBERS],
    ['numbers of bytes', [0, 90, 150, 400], [0, 0, 0, 0, 0], { ...NUMBERS, tickMs: 1 }],
    ['times only of the first frame', [100, 300, 900], [100, 0, 0, 0], { states: 'nothing' }],
    ['times only of the first frame, and damage', [0, 500, 'd', 900], [0, 0, 20, 0], { states: 'nothing' }],
    ['a jump of more than an hour, and a gap after it', [0, 2 * HOUR_MS, 2 * HOUR_MS + 120], [0, 0, 100, 0]],
    ['a jump back to the beginning, and a gap after it', [3_000, 3_020, 0, 120], [0, 0, 0, 100, 0], { startMs: 3_000 }],
    ['frames without times', [null, null], [0, 0, 0]],
    ['frames without times, then some with', [0, null, null, 60, 180], [0, 0, 0, 0, 100, 0]],
    ['skipped packets', [0, 'x', 'x', 60], [0, 40, 0]],
    ['skipped packets without times', [null, 'x', null], [0, 20, 0]],
    ['skipped packets that take no time', [0, 'x', 20], [0, 0, 0]],
    ['skipped packets before a longer gap', [0, 'x', 300], [0, 280, 0]],
    ['skipped packets at the end', [0, 'x', 'x'], [0, 40]],
    ['damaged packets', [0, 'd', 'd', 60], [0, 40, 0]],
    ['damaged packets at the end', [0, 'd', 'd'], [0, 0]],
    ['a pause at the end behind a damaged packet', [0, 'd', 'x', 'd'], [0, 40]],
    ['skipped packets at the start', ['x', 'x', 40], [40, 0]],
    ['a first frame of priming', [0, 20, 40], [null, 0, 0, 0], { priming: { frames: 1 } }],
    ['samples of priming', [0, 20, 40], [null, 1, 0, 0], { priming: { samples: 152 } }],
    ['no priming in a late track', [100, 120], [100, 0, 0], { priming: { frames: 1 } }],
  ])('%s', (_name, times, silences, start = {}) => {
    expect(place(times, start).silences).toEqual(silences);
  });
});

it('only gaps are free of charge, not packets that cannot be decoded', () => {
  expect(place([300, 'x', 340, 460])).toMatchObject({ endMs: 480, gapMs: 400 });
  expect(place([0, 'x', 300])).toMatchObject({ endMs: 320, gapMs: 260 });
});

it('the last time includes jumps that are no gaps', () => {
  expect(place([0, 20, 2 * HOUR_MS])).toMatchObject({ endMs: 60, lastMs: 2 * HOUR_MS + 20 });
});

it('where the first packet lies before the start, the file stated its priming', () => {
  const clock = new RecordingClock({ tickMs: 1, startMs: 0, priming: { frames: 1 } });
  clock.begin(-20n);
  expect(clock.place(0n, FRAME, RATE_HZ)).toBe(0);
});

it('priming that the decoder leaves out takes no time', () => {
  const clock = new RecordingClock({ tickMs: 1, startMs: 0, priming: { frames: 2 } });
  clock.begin(0n);
  expect(clock.place(40n, FRAME, RATE_HZ)).toBe(0);
});
