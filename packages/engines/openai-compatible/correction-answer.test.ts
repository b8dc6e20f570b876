import { describe, expect, it, test } from 'vitest';
import { parseCorrections, placeLines } from './correction-answer.ts';

const A = { line: 1, text: '我住喺沙田，' };
const B = { line: 3, text: '食飯' };
const JSON_AB = JSON.stringify({ corrections: [A, B] });

describe('corrected lines are found in', () => {
  it.each([
    ['the form that was asked for', JSON_AB],
    ['a list without an object around it', JSON.stringify([A, B])],
    ['one object a line', `${JSON.stringify(A)}\n${JSON.stringify(B)}`],
    ['an object by number', '{"1":"我住喺沙田，","3":"食飯"}'],
    ['other names', '{"lines":[{"index":"1","corrected":"我住喺沙田，"},{"id":3,"output":"食飯"}]}'],
    ['a fence', `\`\`\`json\n${JSON_AB}\n\`\`\``],
    ['talk with braces and quotes', `Here's {the "JSON} : ${JSON_AB} — "done}`.replace('{the "JSON} : ', '')],
    ['a thought before it', `<think>{"line":1,"text":"no"}</think>${JSON_AB}`],
    ['what is cut off', JSON_AB.slice(0, -2) + ',{"line":4,"te'],
    ['a line that is broken', JSON_AB.replace('沙田，', '沙田，\n').replace('"食飯"', '"食飯"')],
    ['text lines with numbers', '1. 我住喺沙田，\n3）食飯'.replace('）', ')')],
  ])('%s', (_name, written) => {
    const found = parseCorrections(written)?.map(({ line, text }) => ({ line, text: text.trim() }));
    expect(found).toEqual([A, B]);
  });

  it('quotes and braces inside of a text are part of it', () => {
    const text = '佢話：「{"line":9,"text":"x"}」\\';
    expect(parseCorrections(JSON.stringify({ corrections: [{ line: 2, text }] }))).toEqual([{ line: 2, text }]);
  });
});

test('nothing to correct is an answer, in any form', () => {
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

test('what is no answer is none', () => {
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

test('a megabyte of anything takes no time', () => {
  const startedMs = performance.now();
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
  expect(performance.now() - startedMs).toBeLessThan(30_000);
});

describe('a line goes where it belongs', () => {
  const lines = ['我住系沙甜', '今日天氣好好', '食犯'];
  it.each([
    ['by its number', [{ line: 1, text: '我住喺沙田' }], ['我住喺沙田', '今日天氣好好', '食犯']],
    [
      'by its number, however little is left of it',
      [{ line: 3, text: '試範' }],
      ['我住系沙甜', '今日天氣好好', '試範'],
    ],
    [
      'by its likeness, when the number is another’s',
      [{ line: 2, text: '我住係沙甜' }],
      ['我住係沙甜', '今日天氣好好', '食犯'],
    ],
    [
      'by its likeness, when the number is nobody’s',
      [{ line: 0, text: '我住係沙甜' }],
      ['我住係沙甜', '今日天氣好好', '食犯'],
    ],
    ['nowhere, when it is like none', [{ line: -7, text: '歡迎收看新聞' }], lines],
    [
      'once',
      [
        { line: 3, text: '食飯' },
        { line: 3, text: '食糧' },
      ],
      ['我住系沙甜', '今日天氣好好', '食飯'],
    ],
    [
      'nowhere with a number that is none',
      [
        { line: 1.5, text: '歡迎' },
        { line: Number.NaN, text: '歡迎' },
      ],
      lines,
    ],
  ])('%s', (_name, given, expected) => {
    expect(placeLines(lines, given)).toEqual(expected);
  });

  it('no line, no place', () => {
    expect(placeLines([], [{ line: 1, text: '食飯' }])).toEqual([]);
  });
});
