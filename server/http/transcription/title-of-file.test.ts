import { expect, it } from 'vitest';
import { titleOfFile } from './title-of-file.ts';

it.each([
  ['meeting.mp3', 'meeting'],
  ['會議 11.28.m4a', '會議 11.28'],
  ['C:\\Users\\mei\\訪問.wav', '訪問'],
  ['/home/mei/talk', 'talk'],
  ['.hidden', '.hidden'],
  ['a\u202Eb\u0000.wav', 'ab'],
  ['長'.repeat(250), '長'.repeat(200)],
  ['', null],
  ['recording.wav', null],
  ['Audio.WAV', null],
  // As aiohttp sends names, and every client a quotation mark.
  ['%E9%8C%84%E9%9F%B3%201.wav', '錄音 1'],
  ['100%25.wav', '100%'],
  ['訪問 %22一%22.wav', '訪問 "一"'],
  ['recording%20.wav', null],
  // As their files are called.
  ['100%.wav', '100%'],
  ['訪問 5%20.wav', '訪問 5%20'],
  ['%E9%8C.wav', '%E9%8C'],
  ['0b4a7c1e-9d1f-4e6e-8a57-1c7d3f1a2b3c.webm', null],
])('calls %s by its name', (name, title) => {
  expect(titleOfFile(name)).toBe(title);
});
