import { expect, it } from 'vitest';
import { watchUtteranceEnd, type UtteranceEnd } from './utterance-end.ts';

function watch(use: (watched: UtteranceEnd) => void): number[] {
  const ends: number[] = [];
  use(watchUtteranceEnd(1_000, (ms) => ends.push(ms)));
  return ends;
}

it.each<[string, (watched: UtteranceEnd) => void, number[]]>([
  ['waits for the whole gap', (utterance) => (utterance.speechEnded(500, null), utterance.heard(1_499)), []],
  [
    'tells once when the gap is over',
    (utterance) => (utterance.speechEnded(500, null), utterance.heard(1_500), utterance.heard(9_000)),
    [500],
  ],
  [
    'goes on when speech follows soon',
    (utterance) => (utterance.speechEnded(500, null), utterance.speechStarted(1_200), utterance.heard(9_000)),
    [],
  ],
  [
    'tells before speech that follows late',
    (utterance) => (utterance.speechEnded(500, null), utterance.speechStarted(1_600)),
    [500],
  ],
  [
    'knows speech that began before the text was there',
    (utterance) => (utterance.speechEnded(500, 1_200), utterance.heard(9_000)),
    [],
  ],
  ['knows late speech that began before the text was there', (utterance) => utterance.speechEnded(500, 1_700), [500]],
  [
    'is over with the sound',
    (utterance) => (utterance.speechEnded(500, null), utterance.heard(600), utterance.finish(), utterance.finish()),
    [500],
  ],
  ['needs speech', (utterance) => (utterance.heard(9_000), utterance.finish()), []],
])('%s', (_name, use, ends) => {
  expect(watch(use)).toEqual(ends);
});
