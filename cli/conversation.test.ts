import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { formatConversation, formatTime } from './conversation.ts';

const segment = (start: number, speaker: string | null, text: string) => ({ start, speaker, text });

test('segments of one speaker in a row are one turn', () => {
  const segments = [
    segment(0.4, 'SPEAKER_00', '早晨，'),
    segment(2, 'SPEAKER_00', '食咗飯未？'),
    segment(63.9, 'SPEAKER_01', 'I have'),
    segment(65, 'SPEAKER_01', 'eaten.'),
    segment(3_661, 'SPEAKER_00', '好'),
  ];
  expect(formatConversation(segments, new PassThrough())).toBe(
    '[0:00] SPEAKER_00  早晨，食咗飯未？\n[1:03] SPEAKER_01  I have eaten.\n[1:01:01] SPEAKER_00  好\n',
  );
});

test('a single speaker is not named', () => {
  const segments = [segment(0, 'SPEAKER_00', '早晨，'), segment(2, 'SPEAKER_00', '食咗飯未？')];
  expect(formatConversation(segments, new PassThrough())).toBe('[0:00]  早晨，食咗飯未？\n');
});

test('segments without speakers have only their time', () => {
  expect(formatConversation([segment(5, null, '好')], new PassThrough())).toBe('[0:05]  好\n');
});

test.each([
  [0, '0:00'],
  [59.99, '0:59'],
  [3_599, '59:59'],
  [36_000, '10:00:00'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatTime(seconds)).toBe(text);
});
