import { expect, it } from 'vitest';
import { parseWebVtt } from './web-vtt.ts';

const line = (startMs: number, endMs: number, text: string) => ({ startMs, endMs, text });
const CUE = '00:01.000 --> 00:02.500\n早晨';
const ONE = [line(1_000, 2_500, '早晨')];

it.each([
  ['a plain cue', `WEBVTT\n\n${CUE}`],
  ['a title', `WEBVTT - 新聞\nKind: captions\nLanguage: yue\n\n${CUE}\n`],
  ['Windows line ends', `WEBVTT\r\n\r\n${CUE.replaceAll('\n', '\r\n')}\r\n`],
  ['old line ends', `WEBVTT\r\r${CUE.replaceAll('\n', '\r')}`],
  ['hours and commas', 'WEBVTT\n\n00:00:01,000 --> 00:00:02,500\n早晨'],
  ['settings', 'WEBVTT\n\n00:01.000 --> 00:02.500 align:start position:0%\n早晨'],
  ['an identifier', `WEBVTT\n\n17\n${CUE}`],
  ['an identifier like the name of a block', `WEBVTT\n\nREGION-1\n${CUE}`],
  ['another such identifier', `WEBVTT\n\nNOTE:1\n${CUE}`],
  ['notes, styles and regions', `WEBVTT\n\nNOTE\n早\n\nSTYLE\n::cue {}\n\nREGION\nid:a\n\nNOTE 晚\n\n${CUE}\n\nNOTE`],
  ['many blank lines', `WEBVTT\n\n\n\n\n${CUE}\n\n\n`],
  ['tags', 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v 陳生><c.red>早</c><00:01.500>晨</v>'],
])('reads %s', (_what, body) => {
  expect(parseWebVtt(body)).toEqual(ONE);
});

it.each([
  ['00:00.000', 0],
  ['00:59.999', 59_999],
  ['01:00.000', 60_000],
  ['59:59.001', 3_599_001],
  ['01:00:00.000', 3_600_000],
  ['99:00:00.010', 356_400_010],
  ['100:00:00.000', 360_000_000],
])('%s is %d ms', (time, milliseconds) => {
  expect(parseWebVtt(`WEBVTT\n\n${time} --> ${time}\n早`)).toEqual([line(milliseconds, milliseconds, '早')]);
});

it('keeps the rows of a cue, also those after a blank line', () => {
  expect(parseWebVtt(`WEBVTT\n\n${CUE}\n各位\n\n聽眾\n\n00:03.000 --> 00:04.000\n再見`)).toEqual([
    line(1_000, 2_500, '早晨\n各位\n聽眾'),
    line(3_000, 4_000, '再見'),
  ]);
});

it('has no lines without cues', () => {
  expect(parseWebVtt('WEBVTT')).toEqual([]);
  expect(parseWebVtt('WEBVTT\n\n無人說話')).toEqual([]);
});

it.each([
  '',
  'WEBVTTX\n\n',
  ` WEBVTT\n\n${CUE}`,
  CUE,
  'WEBVTT\n\n1 --> 2\n早晨',
  'WEBVTT\n\n00:01 --> 00:02\n早晨',
  'WEBVTT\n\n--> 00:02.000\n早晨',
])('refuses %j', (body) => {
  expect(parseWebVtt(body)).toBeNull();
});

it('takes time in proportion to the text', () => {
  const text = '<'.repeat(200_000);
  expect(parseWebVtt(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`)).toEqual([line(1_000, 2_000, text)]);
});
