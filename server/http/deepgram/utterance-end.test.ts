import { expect, it } from 'vitest';
import { watchUtteranceEnd, type UtteranceEnd } from './utterance-end.ts';

function watch(use: (watched: UtteranceEnd) => void): number[] {
  const ends: number[] = [];
  use(watchUtteranceEnd(1_000, (ms) => ends.push(ms)));
  return ends;
}

it.each<[string, (watched: UtteranceEnd) => void, number[]]>([
  ['waits for the whole gap', (each) => (each.speechEnded(500, null), each.heard(1_499)), []],
  [
    'tells once when the gap is over',
    (each) => (each.speechEnded(500, null), each.heard(1_500), each.heard(9_000)),
    [500],
  ],
  [
    'goes on when speech follows soon',
    (each) => (each.speechEnded(500, null), each.speechStarted(1_200), each.heard(9_000)),
    [],
  ],
  ['tells before speech that follows late', (each) => (each.speechEnded(500, null), each.speechStarted(1_600)), [500]],
  [
    'knows speech that began before the text was there',
    (each) => (each.speechEnded(500, 1_200), each.heard(9_000)),
    [],
  ],
  ['knows late speech that began before the text was there', (each) => each.speechEnded(500, 1_700), [500]],
  [
    'is over with the sound',
    (each) => (each.speechEnded(500, null), each.heard(600), each.finish(), each.finish()),
    [500],
  ],
  ['needs speech', (each) => (each.heard(9_000), each.finish()), []],
])('%s', (_name, use, ends) => {
  expect(watch(use)).toEqual(ends);
});
