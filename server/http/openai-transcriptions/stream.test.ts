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
  for await (const event of transcriptEvents(following(segments, end), async () => true)) text += writeEvent(event);
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
    usage: { type: 'duration', seconds: 3 },
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
