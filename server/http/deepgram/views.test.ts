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
const SHOWN = { diarize: false, utterances: false, paragraphs: false, smart_format: false };
const completed = (segments: Segment[]) =>
  newRecord('an account', {
    status: 'completed',
    result: { ...newResult(), segments },
  }) as CompletedTranscription;

it('numbers the speakers of words and utterances by first appearance', () => {
  const record = completed([segment('早晨', 0, 'b'), segment('你好', 500, 'a'), segment('OK', 1_000, 'b')]);
  const answer = viewRecording(record, { ...SHOWN, diarize: true, utterances: true });
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
  expect(JSON.stringify(viewRecording(completed([segment('早晨', 0, null)]), SHOWN))).not.toMatch(
    /"speaker"|"utterances"/,
  );
  expect(viewRecording(completed([]), { ...SHOWN, diarize: true, utterances: true }).results).toMatchObject({
    channels: [{ alternatives: [{ transcript: '', confidence: 0, words: [] }] }],
    utterances: [],
  });
});

const marked = (text: string, startMs: number, speaker: string) => ({
  ...segment(text.replaceAll(/[，。？]/gu, ''), startMs, speaker),
  text,
});

it('groups sentences to paragraphs by speaker, pause and length, with the marks of the words', () => {
  const record = completed([
    marked('早晨。食咗飯未？', 0, 'b'),
    marked('食咗，你呢？', 1_700, 'a'),
    marked('未呀。', 9_000, 'a'),
  ]);
  const answer = viewRecording(record, { ...SHOWN, diarize: true, smart_format: true });
  expect(RecordingAnswer.parse(answer)).toBeDefined();
  const { paragraphs, words } = answer.results.channels[0]!.alternatives[0]!;
  expect(words.map((word) => word.punctuated_word).join('')).toBe('早晨。食咗飯未？食咗，你呢？未呀。');
  expect(paragraphs?.transcript).toBe(
    '\nSpeaker 0: 早晨。食咗飯未？\n\n\nSpeaker 1: 食咗，你呢？\n\n\nSpeaker 1: 未呀。',
  );
  expect(paragraphs?.paragraphs).toMatchObject([
    { speaker: 0, num_words: 6, start: 0, end: 1.2, sentences: [{ text: '早晨。', end: 0.4 }, { text: '食咗飯未？' }] },
    { speaker: 1, num_words: 4, sentences: [{ text: '食咗，你呢？' }] },
    { speaker: 1, sentences: [{ text: '未呀。', start: 9 }] },
  ]);
  expect(
    viewRecording(record, { ...SHOWN, paragraphs: true }).results.channels[0]?.alternatives[0]?.paragraphs,
  ).toMatchObject({
    transcript: '早晨。食咗飯未？食咗，你呢？\n\n未呀。',
  });
  expect(JSON.stringify(viewRecording(record, SHOWN))).not.toContain('paragraphs');
});
