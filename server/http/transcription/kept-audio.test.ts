import { expect, it } from 'vitest';
import { byteRange, mediaTypeOf } from './kept-audio.ts';

it.each([
  [undefined, null],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=90-', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-500', { first: 0, last: 99 }],
  ['bytes=50-500', { first: 50, last: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-3', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['lines=1-2', null],
])('the range %s of 100 bytes', (header, range) => expect(byteRange(header, 100)).toEqual(range));

it.each([
  ['RIFF....WAVE', 'audio/wav'],
  ['\0\0\0\x20ftypM4A ', 'video/mp4'],
  ['\x1a\x45\xdf\xa3', 'video/webm'],
  ['\xff\xfb\x90', 'audio/mpeg'],
  ['\xff\xf1\x50', 'audio/aac'],
  ['<html>', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j is %s', (start, type) => expect(mediaTypeOf(Buffer.from(start, 'latin1'))).toBe(type));
