import { expect, it } from 'vitest';
import { withNotice } from './export-notice.ts';

const LINE = 'By a small model.';

it.each([
  ['txt', '早晨。\n', 'By a small model.\n\n早晨。\n'],
  [
    'srt',
    '1\n00:00:00,000 --> 00:00:01,000\n早晨。\n',
    '1\n00:00:00,000 --> 00:00:01,000\n[By a small model.]\n早晨。\n',
  ],
  ['srt', '', ''],
  [
    'vtt',
    'WEBVTT\n\n00:00.000 --> 00:01.000\n早晨。\n',
    'WEBVTT\n\nNOTE By a small model.\n\n00:00.000 --> 00:01.000\n早晨。\n',
  ],
])('puts the notice where %s has room for it', (format, content, expected) => {
  expect(withNotice(format, content, LINE)).toBe(expected);
});
