import { describe, expect, it, test } from 'vitest';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { parseCorrections, placeLines } from './correction-answer.ts';

const A = { line: 1, text: '我住喺沙田，' };
const B = { line: 3, text: '食飯' };
const JSON_AB = JSON.stringify({ corrections: [A, B] });

describe('parses corrected lines from', () => {
  it.each([
    ['the requested format', JSON_AB],
    ['a bare list', JSON.stringify([A, B])],
    ['one object per line', `${JSON.stringify(A)}\n${JSON.stringify(B)}`],
    ['an object keyed by line number', '{"1":"我住喺沙田，","3":"食飯"}'],
    ['other property names', '{"lines":[{"index":"1","corrected":"我住喺沙田，"},{"id":3,"output":"食飯"}]}'],
    ['a code fence', `\`\`\`json\n${JSON_AB}\n\`\`\``],
    ['prose with braces and quotes', `Here's {the "JSON} : ${JSON_AB} — "done}`.replace('{the "JSON} : ', '')],
    ['JSON after reasoning', `<think>{"line":1,"text":"no"}</think>${JSON_AB}`],
    ['truncated JSON', JSON_AB.slice(0, -2) + ',{"line":4,"te'],
    ['a string with a line break', JSON_AB.replace('沙田，', '沙田，\n').replace('"食飯"', '"食飯"')],
    ['numbered lines of text', '1. 我住喺沙田，\n3）食飯'.replace('）', ')')],
  ])('%s', (_name, written) => {
    const corrections = parseCorrections(written)?.map(({ line, text }) => ({ line, text: text.trim() }));
    expect(corrections).toEqual([A, B]);
  });

  it('quotes and braces inside a text are kept', () => {
    const text = '佢話：「{"line":9,"text":"x"}」\\';
    expect(parseCorrections(JSON.stringify({ corrections: [{ line: 2, text }] }))).toEqual([{ line: 2, text }]);
  });
});

test('an empty list of corrections is valid in any format', () => {
  for (const written of [
    '{"corrections":[]}',
    '```json\n{"corrections": []}\n```',
    '[]',
    '{}',
    'OK: {"corrections":[]}',
  ]) {
    expect(parseCorrections(written)).toEqual([]);
  }
});

test('invalid answers give null', () => {
  for (const written of [
    '',
    ' ',
    'Sorry, I cannot.',
    '<think>{"line":1,"text":"我"}',
    '{"error":"no"}',
    '{"line":1}',
    '{"text":"食飯"}',
    '{"line":{},"text":"食飯"}',
    'null',
    '"食飯"',
    '{"corrections":',
  ]) {
    expect([written, parseCorrections(written)]).toEqual([written, null]);
  }
});

test('a megabyte of repeated fragments is parsed in linear time', () => {
  const startedMs = cpuTimeMs();
  for (const piece of [
    '{',
    '[',
    '"',
    '{"',
    '{}',
    '\\',
    '{"a":{"b":',
    '1. ',
    '\n',
    '<think>',
    '</think>',
    '- - ',
    '{"line":1,',
  ]) {
    parseCorrections(piece.repeat(1_000_000 / piece.length));
  }
  expect(cpuTimeMs() - startedMs).toBeLessThan(30_000);
});

describe('a correction is assigned', () => {
  const lines = ['我住系沙甜', '今日天氣好好', '食犯'];
  it.each([
    ['by its number', [{ line: 1, text: '我住喺沙田' }], ['我住喺沙田', '今日天氣好好', '食犯']],
    [
      'by its number, even when the text changed completely',
      [{ line: 3, text: '試範' }],
      ['我住系沙甜', '今日天氣好好', '試範'],
    ],
    [
      'by similarity when the number belongs to another line',
      [{ line: 2, text: '我住係沙甜' }],
      ['我住係沙甜', '今日天氣好好', '食犯'],
    ],
    [
      'by similarity when the number does not exist',
      [{ line: 0, text: '我住係沙甜' }],
      ['我住係沙甜', '今日天氣好好', '食犯'],
    ],
    ['to no line when it is similar to none', [{ line: -7, text: '歡迎收看新聞' }], lines],
    [
      'only once per line',
      [
        { line: 3, text: '食飯' },
        { line: 3, text: '食糧' },
      ],
      ['我住系沙甜', '今日天氣好好', '食飯'],
    ],
    [
      'to no line when the number is invalid',
      [
        { line: 1.5, text: '歡迎' },
        { line: Number.NaN, text: '歡迎' },
      ],
      lines,
    ],
  ])('%s', (_name, givenLines, expected) => {
    expect(placeLines(lines, givenLines)).toEqual(expected);
  });

  it('to nothing without lines', () => {
    expect(placeLines([], [{ line: 1, text: '食飯' }])).toEqual([]);
  });
});
