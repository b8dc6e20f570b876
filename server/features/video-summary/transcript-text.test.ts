import { describe, expect, it } from 'vitest';
import type { CaptionLine } from '@jyutsing/contracts/captions';
import { transcriptRows } from './transcript-text.ts';

const line = (startMs: number, endMs: number, text: string): CaptionLine => ({ startMs, endMs, text });
const rowsOf = (lines: readonly CaptionLine[]) => transcriptRows(lines).map(({ text }) => text);

describe('the rows of a caption track', () => {
  it('rolling captions appear once', () => {
    const rolling = [
      line(0, 2_000, 'so today we take'),
      line(2_000, 2_010, 'so today we take'),
      line(2_010, 4_000, 'so today we take\nthe ferry to Cheung Chau'),
      line(4_000, 4_010, 'the ferry to Cheung Chau'),
      line(4_010, 6_000, 'the ferry to Cheung Chau\nand eat fish balls'),
    ];
    expect(rowsOf(rolling)).toEqual(['so today we take', 'the ferry to Cheung Chau', 'and eat fish balls']);
  });

  it('growing live captions appear once, in full', () => {
    const growing = [line(0, 900, '今日'), line(900, 1_800, '今日我哋'), line(1_800, 3_000, '今日我哋去長洲')];
    expect(rowsOf(growing)).toEqual(['今日我哋去長洲']);
  });

  it('each row keeps the time at which it appears first', () => {
    const rolling = [
      line(0, 2_000, '[Music]'),
      line(2_000, 4_000, 'so today we take'),
      line(4_000, 6_000, 'so today we take\nthe ferry'),
      line(9_000, 9_500, 'and'),
      line(9_500, 10_000, 'and eat'),
      line(10_000, 11_000, 'and eat fish\nballs'),
    ];
    expect(transcriptRows(rolling)).toEqual([
      { text: 'so today we take', startMs: 2_000 },
      { text: 'the ferry', startMs: 4_000 },
      { text: 'and eat fish', startMs: 9_000 },
      { text: 'balls', startMs: 10_000 },
    ]);
  });

  it('growing live captions in several rolling rows appear once', () => {
    const screens = [
      'GOOD',
      'GOOD EVENING',
      'GOOD EVENING\nI',
      'GOOD EVENING\nI AM',
      'GOOD EVENING\nI AM BOB',
      'I AM BOB\nAND',
      'I AM BOB\nAND THIS IS',
      'AND THIS IS\nTHE NEWS',
    ];
    const growing = screens.map((text, index) => line(index * 300, index * 300 + 300, text));
    expect(rowsOf(growing)).toEqual(['GOOD EVENING', 'I AM BOB', 'AND THIS IS', 'THE NEWS']);
  });

  it('a caption that starts with the words of the previous one is kept', () => {
    const spoken = [
      '今日去邊呀',
      '係',
      '係咪呀',
      '唔知喎',
      'I',
      'It was great',
      'and then we',
      'and then we went home',
    ];
    const dialogue = spoken.map((text, index) => line(index * 1_000, index * 1_000 + 1_000, text));
    expect(rowsOf([...dialogue, line(8_000, 9_000, 'bye'), line(9_000, 9_900, '再見')])).toEqual([
      ...spoken,
      'bye',
      '再見',
    ]);
  });

  it('a row that is spoken twice appears twice', () => {
    expect(rowsOf([line(0, 1_000, 'No.'), line(1_000, 2_000, 'No.')])).toEqual(['No.', 'No.']);
    expect(rowsOf([line(0, 1_000, '早晨'), line(5_000, 6_000, '早晨')])).toEqual(['早晨', '早晨']);
    expect(rowsOf([line(0, 1_000, 'Go.'), line(1_000, 2_000, 'Go. Now!')])).toEqual(['Go.', 'Go. Now!']);
  });

  it.each([
    ['[Music]', []],
    ['[音樂] 大家好', ['大家好']],
    ['【掌聲】', []],
    ['(laughter)', []],
    ['（笑聲）', []],
    ['(that is, on Sundays)', ['(that is, on Sundays)']],
    ['♪ 浪奔 浪流 ♪', ['浪奔 浪流']],
    ['>> Good evening.', ['Good evening.']],
    ['>>> And now the weather.', ['And now the weather.']],
    ['- Yes.\n- No.', ['Yes.', 'No.']],
    ['ANNA: hello', ['ANNA: hello']],
    ['-5 degrees', ['-5 degrees']],
    ['[ANNA]: hello', ['hello']],
    ['{\\an8}top', ['top']],
    ['…', []],
    ['', []],
  ])('%j', (text, rows) => {
    expect(rowsOf([line(0, 1_000, text)])).toEqual(rows);
  });

  it('captions of many rows are compared quickly', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `row ${index}`);
    const twice = [line(0, 1_000, rows.join('\n')), line(1_000, 2_000, ['another', ...rows].join('\n'))];
    expect(rowsOf(twice)).toHaveLength(200_001);
  });

  it('an empty track has no rows', () => {
    expect(rowsOf([])).toEqual([]);
  });
});
