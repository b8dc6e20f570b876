import { expect, it } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { keepWords, type EditedSegment } from './edited-words.ts';

/** Each character takes 200 ms. */
const recognized = (text: string, startMs = 0): Segment => ({
  text,
  startMs,
  endMs: startMs + text.length * 200,
  speaker: 'SPEAKER_00',
  confidence: 0.8,
  words: [...text].map((unit, index) => ({
    text: unit,
    reading: `${unit}1`,
    startMs: startMs + index * 200,
    endMs: startMs + (index + 1) * 200,
    confidence: 0.9,
  })),
});

const edited = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs, speaker: 'SPEAKER_01' });
const withWords = (segment: EditedSegment, before: readonly Segment[]) => keepWords(before)(segment);
const timesOf = ({ words }: Segment) => words.map(({ text, startMs, endMs }) => [text, startMs, endMs]);

it('a segment that is as it was keeps everything but its speaker', () => {
  const before = recognized('我返工');
  expect(withWords(edited('我返工', 0, 600), [before])).toEqual({ ...before, speaker: 'SPEAKER_01' });
});

it('a replaced character has the time of the former one, but not its reading', () => {
  const after = withWords(edited('我搭工。', 0, 600), [recognized('我返工')]);
  expect(timesOf(after)).toEqual([
    ['我', 0, 200],
    ['搭', 200, 400],
    ['工', 400, 600],
  ]);
  expect(after.words.map(({ reading }) => reading)).toEqual(['我1', null, '工1']);
});

it('inserted characters share the time between their neighbours', () => {
  const after = withWords(edited('我今日返工', 0, 600), [recognized('我返工')]);
  expect(timesOf(after)).toEqual([
    ['我', 0, 200],
    ['今', 200, 200],
    ['日', 200, 200],
    ['返', 200, 400],
    ['工', 400, 600],
  ]);
  const appended = withWords(edited('我ok', 0, 600), [recognized('我返工')]);
  expect(timesOf(appended)).toEqual([
    ['我', 0, 200],
    ['ok', 200, 600],
  ]);
});

it('joined segments keep the times of both, and a cut one those of its part', () => {
  const both = [recognized('早晨'), recognized('大家', 1_000)];
  expect(timesOf(withWords(edited('早晨，大家', 0, 1_400), both))).toEqual([
    ['早', 0, 200],
    ['晨', 200, 400],
    ['大', 1_000, 1_200],
    ['家', 1_200, 1_400],
  ]);
  expect(timesOf(withWords(edited('晨', 200, 400), both))).toEqual([['晨', 200, 400]]);
});

it('a text where nothing was recognized has no words', () => {
  expect(withWords(edited('唔該', 5_000, 6_000), [recognized('我返工')]).words).toEqual([]);
});

it('segments take the words of their own time, also where recognized ones overlap', () => {
  const place = keepWords([recognized('食飯'), recognized('我返工', 2_000), recognized('早晨大家', 200)]);
  expect(timesOf(place(edited('食晨', 0, 600)))).toEqual([
    ['食', 0, 200],
    ['晨', 400, 600],
  ]);
  expect(timesOf(place(edited('大', 600, 800)))).toEqual([['大', 600, 800]]);
  expect(timesOf(place(edited('返', 2_000, 2_600)))).toEqual([['返', 2_200, 2_400]]);
});
