import { expect, it } from 'vitest';
import type { LiveEvent } from '@jyutsing/contracts/live-recognition';
import { createTurns, endConfidence, type Turn, type TurnThresholds } from './turns.ts';

const speechStart = (segment: number, startMs: number): LiveEvent => ({ type: 'speech-start', segment, startMs });
const delta = (segment: number, text: string): LiveEvent => {
  return { type: 'segment-delta', segment, stableText: '', text, language: 'cantonese' };
};
const segmentEnd = (
  segment: number,
  text: string,
  endMs: number,
  reason: 'silence' | 'commit' = 'silence',
): LiveEvent => {
  const place = { startMs: 0, endMs, words: [], confidence: null };
  return { type: 'segment-end', segment, reason, text, language: 'cantonese', ...place };
};

function follow(thresholds: Partial<TurnThresholds> = {}) {
  const shown: Turn[] = [];
  const turns = createTurns(
    () => ({ eager: null, end: 0.7, timeoutMs: 5_000, ...thresholds }),
    (turn) => shown.push(turn),
  );
  return { ...turns, events: () => shown.map(({ event, index, text }) => [event, index, text]) };
}

it('a turn ends sooner after a final particle than after a word that something follows', () => {
  expect(endConfidence('你食咗飯未呀', 500)).toBeGreaterThan(endConfidence('你食咗飯', 500));
  expect(endConfidence('我想去但係', 500)).toBeLessThan(endConfidence('我想去', 500));
  expect(endConfidence('I would like the', 500)).toBeLessThan(endConfidence('I would like tea', 500));
  expect(endConfidence('好', 0)).toBeLessThan(0.3);
  expect(endConfidence('我想去但係', 10_000)).toBe(1);
});

it('starts, updates and ends', () => {
  const turns = follow();
  turns.take(speechStart(0, 100), 400);
  turns.take(delta(0, '今日'), 800);
  turns.take(segmentEnd(0, '今日熱', 1_000), 1_300);
  turns.heard(1_500);
  turns.heard(1_900);
  expect(turns.events()).toEqual([
    ['StartOfTurn', 0, ''],
    ['Update', 0, '今日'],
    ['EndOfTurn', 0, '今日熱'],
  ]);
});

it('resumes after an eager end, and goes on with the same text', () => {
  const turns = follow({ eager: 0.4 });
  turns.take(speechStart(0, 0), 100);
  turns.take(segmentEnd(0, '今日', 1_000), 1_300);
  turns.take(speechStart(1, 1_500), 1_600);
  turns.heard(9_000);
  turns.take(segmentEnd(1, '好熱呀', 2_500), 2_800);
  turns.heard(3_500);
  expect(turns.events()).toEqual([
    ['StartOfTurn', 0, ''],
    ['EagerEndOfTurn', 0, '今日'],
    ['TurnResumed', 0, '今日'],
    ['EagerEndOfTurn', 0, '今日好熱呀'],
    ['EndOfTurn', 0, '今日好熱呀'],
  ]);
});

it('ends when it is forced, after the longest pause, and at the end', () => {
  const forced = follow();
  forced.take(speechStart(0, 0), 0);
  forced.take(segmentEnd(0, '好', 500, 'commit'), 500);
  expect(forced.events().at(-1)).toEqual(['EndOfTurn', 0, '好']);
  const late = follow({ end: 0.9, timeoutMs: 500 });
  late.take(speechStart(0, 0), 0);
  late.take(segmentEnd(0, '但係', 500), 800);
  late.heard(1_000);
  expect(late.events().at(-1)).toEqual(['EndOfTurn', 0, '但係']);
  const open = follow();
  open.take(speechStart(0, 0), 0);
  open.finish(100);
  expect(open.events().at(-1)).toEqual(['EndOfTurn', 0, '']);
});

const dropped = (segment: number): LiveEvent => ({ type: 'segment-dropped', segment });
const failed = (segment: number): LiveEvent => {
  return { type: 'segment-failed', segment, error: { code: 'engine_failed', message: 'x' } };
};

it('a sentence that began before the forced end of the one before it is the next turn', () => {
  const turns = follow();
  turns.take(speechStart(0, 0), 0);
  turns.take(speechStart(1, 900), 1_000);
  turns.take(segmentEnd(0, '早晨', 800, 'commit'), 1_100);
  turns.take(delta(1, '你好'), 1_200);
  turns.take(segmentEnd(1, '你好', 1_500), 1_800);
  turns.heard(9_000);
  turns.take(speechStart(2, 9_500), 9_600);
  turns.take(segmentEnd(2, '再見', 9_900), 10_200);
  turns.heard(19_000);
  expect(turns.events()).toEqual([
    ['StartOfTurn', 0, ''],
    ['EndOfTurn', 0, '早晨'],
    ['StartOfTurn', 1, ''],
    ['Update', 1, '你好'],
    ['EndOfTurn', 1, '你好'],
    ['StartOfTurn', 2, ''],
    ['EndOfTurn', 2, '再見'],
  ]);
});

it('a segment that fails or is dropped keeps no turn open, alone, after another or before one', () => {
  const wrong: unknown[] = [];
  for (const end of [failed, dropped]) {
    const alone = follow();
    alone.take(speechStart(0, 0), 0);
    alone.take(end(0), 800);
    alone.heard(5_900);
    const after = follow();
    after.take(speechStart(0, 0), 0);
    after.take(segmentEnd(0, '早晨', 500), 800);
    after.take(speechStart(1, 900), 1_000);
    after.take(end(1), 1_500);
    after.heard(6_600);
    const before = follow();
    before.take(speechStart(0, 0), 0);
    before.take(speechStart(1, 900), 1_000);
    before.take(end(0), 1_100);
    before.take(segmentEnd(1, '早晨', 1_500), 1_800);
    before.heard(6_600);
    const places = { alone, after, before };
    for (const [place, turns] of Object.entries(places)) {
      const last = turns.events().at(-1);
      if (last?.join() !== `EndOfTurn,0,${place === 'alone' ? '' : '早晨'}`) wrong.push([end(0).type, place, last]);
    }
  }
  expect(wrong).toEqual([]);
});

it('an end without speech neither counts as the end of another segment nor begins a turn', () => {
  const turns = follow();
  turns.take(segmentEnd(0, '', 0, 'commit'), 100);
  expect(turns.events()).toEqual([]);
  turns.take(speechStart(1, 200), 300);
  turns.take(segmentEnd(2, '', 400), 400);
  turns.heard(9_000);
  expect(turns.events()).toEqual([['StartOfTurn', 0, '']]);
  turns.take(segmentEnd(1, '早晨', 8_000), 9_100);
  turns.take(segmentEnd(3, '未開始', 9_300, 'commit'), 9_400);
  expect(turns.events().slice(1)).toEqual([
    ['EndOfTurn', 0, '早晨'],
    ['StartOfTurn', 1, ''],
    ['EndOfTurn', 1, '未開始'],
  ]);
});

const timed = (text: string, startMs: number) => ({
  text,
  reading: null,
  startMs,
  endMs: startMs + 100,
  confidence: 1,
});

it('words have the marks and times of their text, also before it is complete', () => {
  const shown: Turn[] = [];
  const thresholds = { eager: null, end: 0.7, timeoutMs: 500 };
  const turns = createTurns(
    () => thresholds,
    (turn) => shown.push(turn),
  );
  turns.take(speechStart(0, 0), 100);
  turns.take(delta(0, '你好，'), 400);
  const words = [timed('你', 100), timed('好', 200), timed('但', 300), timed('係', 400)];
  const ended = { ...segmentEnd(0, '你好，但係', 500), words } as LiveEvent;
  turns.take(ended, 800);
  turns.heard(1_100);
  expect(shown.map(({ event, trigger }) => [event, trigger])).toEqual([
    ['StartOfTurn', null],
    ['Update', null],
    ['EndOfTurn', 'timeout'],
  ]);
  expect(shown[1]!.words).toEqual([
    { text: '你', confidence: null, startMs: null, endMs: null },
    { text: '好，', confidence: null, startMs: null, endMs: null },
  ]);
  expect(shown[2]!.words).toMatchObject([
    { text: '你' },
    { text: '好，', startMs: 200 },
    { text: '但' },
    { text: '係' },
  ]);
  expect(shown[2]!.languages).toEqual(['cantonese']);
});
