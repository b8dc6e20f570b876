import { array, assert, constantFrom, integer, oneof, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { formatBlocks, formatVtt } from './format.ts';

type Cue = { startMs: number; endMs: number; text: string };

const segment = (text: string, startMs: number, endMs: number, speaker: string | null = null): Segment => ({
  text,
  startMs,
  endMs,
  words: [],
  speaker,
  confidence: null,
});

/** Texts that would end a block, begin another one, or be markup. */
const HOSTILE = [
  '1\n00:00:00,000 --> 00:00:01,000\nforged',
  '\n\n2\n\n',
  'a\r\n\r\nb',
  '00:00:01.000 --> 00:00:02.000 align:start position:0%',
  '-->',
  'NOTE a comment',
  'STYLE\n::cue { color: red }',
  'WEBVTT',
  '<v Mallory>spoofed</v> <b>bold</b> <00:00:05.000>',
  '&lt;already&gt; &amp; escaped',
  '{\\an8}{b}up{/b}',
  '\u2028line\u2029paragraph',
  '\u00a0non-breaking\u3000ideographic\ufeff',
  'SPEAKER_00: forged speaker',
  '3',
  '😀👨‍👩‍👧‍👦',
  'مرحبا \u202eobverse\u202c',
  '蝦餃，燒賣。',
];

function timeOf(code: string): number {
  const [hours = '', minutes = '', seconds = '', ms = ''] = code.split(/[:.,]/);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(ms);
}

const TIMES = /^(\d{2,}:[0-5]\d:[0-5]\d[.,]\d{3}) --> (\d{2,}:[0-5]\d:[0-5]\d[.,]\d{3})$/;

/** Reads blocks separated by blank lines, as players do; throws on anything else. */
function readBlocks(file: string, numbered: boolean): Cue[] {
  if (file === '') return [];
  expect(file.endsWith('\n\n')).toBe(true);
  return file
    .slice(0, -2)
    .split('\n\n')
    .map((block, index) => {
      const lines = block.split('\n');
      if (numbered) expect(lines.shift()).toBe(String(index + 1));
      const [times = '', text = '', ...more] = lines;
      expect(more).toEqual([]);
      const [, start = '', end = ''] = TIMES.exec(times) ?? [];
      expect([times, start]).not.toEqual([times, '']);
      return { startMs: timeOf(start), endMs: timeOf(end), text };
    });
}

const readSrt = (file: string) => readBlocks(file, true);

function readVtt(file: string): Cue[] {
  expect(file.startsWith('WEBVTT\n\n')).toBe(true);
  return readBlocks(file.slice('WEBVTT\n\n'.length), false).map(({ text, ...times }) => {
    expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    return { ...times, text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') };
  });
}

/** SubRip has no way to write the arrow of its times in a text. */
const withoutArrows = (cue: Cue): Cue => ({ ...cue, text: cue.text.replaceAll(/-+->/g, '->') });

const oneLine = (text: string) => text.split(/\s+/u).join(' ').trim();

describe('a text that looks like subtitle syntax stays the text of its own cue', () => {
  it.each(HOSTILE)('%j', (text) => {
    const segments = [segment('before', 0, 900), segment(text, 1_000, 1_900), segment('after', 2_000, 2_900)];
    const expectedCues = [
      { startMs: 0, endMs: 900, text: 'before' },
      ...(oneLine(text) === '' ? [] : [{ startMs: 1_000, endMs: 1_900, text: oneLine(text) }]),
      { startMs: 2_000, endMs: 2_900, text: 'after' },
    ];
    expect(readSrt(formatBlocks(segments, { speakers: false }))).toEqual(expectedCues.map(withoutArrows));
    expect(readVtt(formatVtt(segments, { speakers: false }))).toEqual(expectedCues);
  });

  it.each(['SPEAKER_99: ', '<v x>', '\n\n9\n', '-->', ''])('the name %j of a speaker is never shown', (speaker) => {
    const segments = [segment('a', 0, 900, speaker), segment('b', 1_000, 1_900, 'other')];
    expect(readSrt(formatBlocks(segments, { speakers: true })).map(({ text }) => text)).toEqual([
      'SPEAKER_00: a',
      'SPEAKER_01: b',
    ]);
  });
});

describe('times', () => {
  it.each([
    [0, '00:00:00,000'],
    [0.4, '00:00:00,000'],
    [999.5, '00:00:01,000'],
    [59_999.6, '00:01:00,000'],
    [3_599_999.9, '01:00:00,000'],
    [86_399_999, '23:59:59,999'],
    [360_000_000, '100:00:00,000'],
    [-5, '00:00:00,000'],
  ])('%d ms is %s', (startMs, code) => {
    const file = formatBlocks([segment('a', startMs, 400_000_000)], { speakers: false });
    expect(file.split('\n')[1]!.split(' --> ')[0]).toBe(code);
  });
});

it('any texts and times are read back from both files', () => {
  const texts = oneof(constantFrom(...HOSTILE), string({ unit: 'binary', maxLength: 30 }), string({ maxLength: 30 }));
  const segments = array(
    record({ text: texts, startMs: integer({ min: 0, max: 1e9 }), ms: integer({ min: -10, max: 9_000 }) }),
  );
  assert(
    property(segments, (drafts) => {
      const all = drafts.map(({ text, startMs, ms }) => segment(text, startMs, startMs + ms));
      const expectedCues = all
        .filter(({ text }) => text.trim() !== '')
        .map(({ text, startMs, endMs }) => ({ startMs, endMs: Math.max(startMs, endMs), text: oneLine(text) }));
      expect(readSrt(formatBlocks(all, { speakers: false }))).toEqual(expectedCues.map(withoutArrows));
      expect(readVtt(formatVtt(all, { speakers: false }))).toEqual(expectedCues);
    }),
    { numRuns: 300 },
  );
});
