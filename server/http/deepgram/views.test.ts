import { expect, it } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { RecordingAnswer, viewRecording } from './views.ts';

const segment = (text: string, startMs: number, speaker: string | null): Segment => ({
  text,
  startMs,
  endMs: startMs + 400,
  words: Array.from(text, (character, at) => ({
    text: character,
    reading: null,
    startMs: startMs + at * 200,
    endMs: startMs + at * 200 + 200,
    confidence: at === 0 ? 0.5 : 1,
  })),
  speaker,
  confidence: null,
});
const completed = (segments: Segment[]) =>
  newRecord('an account', {
    status: 'completed',
    result: { ...newResult(), segments },
  }) as CompletedTranscription;

it('numbers the speakers of words and utterances by first appearance', () => {
  const record = completed([segment('早晨', 0, 'b'), segment('你好', 500, 'a'), segment('OK', 1_000, 'b')]);
  const answer = viewRecording(record, { diarize: true, utterances: true });
  expect(RecordingAnswer.parse(answer)).toBeDefined();
  const [channel] = answer.results.channels;
  expect(channel?.alternatives[0]?.confidence).toBeCloseTo(0.75);
  expect(channel?.alternatives[0]?.words.map(({ punctuated_word, speaker }) => [punctuated_word, speaker])).toEqual([
    ['早', 0],
    ['晨', 0],
    ['你', 1],
    ['好', 1],
    ['O', 0],
    ['K', 0],
  ]);
  expect(channel?.alternatives[0]?.words[4]).toMatchObject({ word: 'o', start: 1, end: 1.2, confidence: 0.5 });
  expect(answer.results.utterances?.map(({ speaker, start }) => [speaker, start])).toEqual([
    [0, 0],
    [1, 0.5],
    [0, 1],
  ]);
});

it('leaves speakers and utterances out where nobody asked, and has an answer without speech', () => {
  expect(
    JSON.stringify(viewRecording(completed([segment('早晨', 0, null)]), { diarize: false, utterances: false })),
  ).not.toMatch(/"speaker"|"utterances"/);
  expect(viewRecording(completed([]), { diarize: true, utterances: true }).results).toMatchObject({
    channels: [{ alternatives: [{ transcript: '', confidence: 0, words: [] }] }],
    utterances: [],
  });
});
