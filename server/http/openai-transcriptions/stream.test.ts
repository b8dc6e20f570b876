import { expect, test } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { writeEvent } from '#http/server-sent-events.ts';
import { transcriptEvents } from './stream.ts';

const segment = (text: string): Segment => ({ text, startMs: 0, endMs: 1, words: [], speaker: null, confidence: null });
const completed = (...segments: Segment[]): TranscriptionRecord =>
  newRecord('somebody', { status: 'completed', result: { ...newResult(), segments } });
const failed = newRecord('somebody', {
  status: 'failed',
  error: { code: 'corrupt_audio', message: 'It is cut off.' },
});

/** Segments, then how it ends: a record, or an error that is thrown. */
async function* following(
  segments: readonly Segment[],
  end: TranscriptionRecord | Error,
): AsyncGenerator<Segment, TranscriptionRecord> {
  yield* segments;
  if (end instanceof Error) throw end;
  return end;
}

async function eventsOf(...[segments, end]: Parameters<typeof following>): Promise<string> {
  let text = '';
  const shape = { format: 'json', withLogprobs: false } as const;
  for await (const event of transcriptEvents(following(segments, end), async () => true, shape))
    text += writeEvent(event);
  return text;
}

test('each delta and the whole text are one event each, and the deltas joined are the text', async () => {
  const segments = ['早晨', ' ', '你好\n\nevent: error\ndata: {}', '🙂'].map(segment);
  const text = await eventsOf(segments, completed(...segments));
  const events = text.split('\n\n').filter((event) => event !== '');
  expect(events.every((event) => /^data: .*$/u.test(event))).toBe(true);
  const [...data] = events.map((event) => JSON.parse(event.slice('data: '.length)) as Record<string, unknown>);
  const done = data.pop();
  expect(data.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => 'transcript.text.delta'));
  expect(done).toEqual({
    type: 'transcript.text.done',
    text: data.map(({ delta }) => delta).join(''),
    languages: [{ code: 'yue' }],
    usage: {
      type: 'tokens',
      input_tokens: 3,
      input_token_details: { audio_tokens: 3, text_tokens: 0 },
      output_tokens: expect.any(Number),
      total_tokens: expect.any(Number),
    },
  });
});

test('silence gives a stream with the final event only', async () => {
  const text = await eventsOf([], completed());
  expect(text).toMatch(/^data: \{"type":"transcript\.text\.done","text":"",[^\n]*\}\n\n$/);
});

test('the error of a failed record is thrown', async () => {
  await expect(eventsOf([], failed)).rejects.toMatchObject({ code: 'corrupt_audio' });
  await expect(eventsOf([segment(' ')], failed)).rejects.toMatchObject({ code: 'corrupt_audio' });
});

test('diarized_json has a segment with its speaker for each segment, before the end', async () => {
  const speakers = ['x', 'y', 'x', null];
  const segments = speakers.map((speaker, index) => ({ ...segment('早晨'), startMs: index * 1_000, speaker }));
  const shape = { format: 'diarized_json', withLogprobs: false } as const;
  const events: Record<string, unknown>[] = [];
  for await (const { data } of transcriptEvents(following(segments, completed(...segments)), async () => true, shape)) {
    events.push(data as Record<string, unknown>);
  }
  expect(events.slice(4, 8)).toEqual(
    ['A', 'B', 'A', 'unknown'].map((speaker, index) =>
      expect.objectContaining({ type: 'transcript.text.segment', id: `seg_${index + 1}`, start: index, speaker }),
    ),
  );
  expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done' });
});

test('logprobs are those of the words, without words that have none', async () => {
  const word = { text: '早', reading: null, startMs: 0, endMs: 100 };
  const words = [
    { ...word, confidence: 0.5 },
    { ...word, confidence: null },
    { ...word, text: '晨', confidence: 0 },
  ];
  const segments = [{ ...segment('早早晨'), words }];
  const expected = [
    { token: '早', bytes: [...Buffer.from('早')], logprob: -0.6931 },
    { token: '晨', bytes: [...Buffer.from('晨')], logprob: -13.8155 },
  ];
  const events: unknown[] = [];
  const shape = { format: 'json', withLogprobs: true } as const;
  for await (const { data } of transcriptEvents(following(segments, completed(...segments)), async () => true, shape))
    events.push(data);
  expect(events).toMatchObject([
    { type: 'transcript.text.delta', logprobs: expected },
    { type: 'transcript.text.done', logprobs: expected },
  ]);
});
