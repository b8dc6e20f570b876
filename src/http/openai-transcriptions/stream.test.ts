import { expect, test } from 'vitest';
import { AppError } from '#contracts/errors.ts';
import type { Segment } from '#contracts/transcript.ts';
import type { TranscriptionRecord } from '#contracts/transcription.ts';
import { newRecord, newResult } from '#store/test-records.ts';
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

async function eventsOf(...[segments, end]: Parameters<typeof following>) {
  const late: AppError[] = [];
  let text = '';
  for await (const event of transcriptEvents(following(segments, end), 'the-request', (error) => late.push(error))) {
    text += event;
  }
  return { text, late };
}

test('deltas and the whole text are one event each, and put together the deltas are the text', async () => {
  const segments = ['早晨', ' ', '你好\n\nevent: error\ndata: {}', '🙂'].map(segment);
  const { text, late } = await eventsOf(segments, completed(...segments));
  expect(late).toEqual([]);
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

test('silence is a stream of its end alone', async () => {
  const { text } = await eventsOf([], completed());
  expect(text).toMatch(/^data: \{"type":"transcript\.text\.done","text":"",[^\n]*\}\n\n$/);
});

test.each([
  ['the record failed', failed, 'corrupt_audio', 'It is cut off.'],
  ['the server stops', new AppError('service_unavailable', 'Stopping.'), 'service_unavailable', 'Stopping.'],
])('when %s after the first words, the last event is the error as everywhere', async (_, end, code, message) => {
  const { text, late } = await eventsOf([segment('早晨')], end);
  const [first = '', error = ''] = text.split('\n\n');
  expect(first).toContain('早晨');
  expect(error).toMatch(/^event: error\ndata: /);
  expect(JSON.parse(error.replace('event: error\ndata: ', ''))).toMatchObject({
    success: false,
    message,
    error: { code, message },
    request_id: 'the-request',
  });
  expect(late.map((each) => each.code)).toEqual([code]);
});

test('what nobody foresaw shows nothing of itself in the stream', async () => {
  const { text, late } = await eventsOf([segment('早晨')], new TypeError('/secret/path.ts'));
  expect(text).toContain('internal_error');
  expect(text).not.toContain('secret');
  expect(late[0]?.cause).toBeInstanceOf(TypeError);
});

test('a failure before the first words is thrown', async () => {
  await expect(eventsOf([], failed)).rejects.toMatchObject({ code: 'corrupt_audio' });
  await expect(eventsOf([segment(' ')], failed)).rejects.toMatchObject({ code: 'corrupt_audio' });
});
