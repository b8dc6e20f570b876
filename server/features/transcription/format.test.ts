import { expect, test } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { formatSrt } from '#features/export/subtitles.ts';
import { createPlainWriter, formatBlocks, formatDiarization, formatPlain, formatVtt, numberedBlock } from './format.ts';

const segment = (text: string, startMs = 0, endMs = startMs + 1_000, speaker: string | null = null): Segment => ({
  text,
  startMs,
  endMs,
  words: [],
  speaker,
  confidence: null,
});

test('silence is an empty text in every format', () => {
  for (const segments of [[], [segment('  ')]]) {
    expect(formatPlain(segments)).toBe('');
    expect(formatBlocks(segments, { speakers: true })).toBe('');
    expect(formatDiarization(segments)).toBe('');
  }
});

test('plain text shows pauses as one space, and none after full-width punctuation', () => {
  expect(formatPlain([segment('今日天氣好好'), segment(' '), segment('我哋去行山')])).toBe('今日天氣好好 我哋去行山');
  expect(formatPlain([segment('你好嗎？'), segment('好呀')])).toBe('你好嗎？好呀');
  expect(formatPlain([segment('good morning.'), segment('how are you')])).toBe('good morning. how are you');
});

test('the parts of single segments make up the plain text', () => {
  const segments = [
    segment(' '),
    segment('早晨。'),
    segment('今日\n天氣好好'),
    segment(''),
    segment('good  morning'),
    segment('係'),
  ];
  const write = createPlainWriter();
  const added = segments.map((segment) => write(segment));
  expect(added).toEqual(['', '早晨。', '今日 天氣好好', '', ' good morning', ' 係']);
  expect(added.join('')).toBe(formatPlain(segments));
});

test('a WebVTT file has the same cues with its own time codes and escaped text', () => {
  const segments = [segment('早晨', 0, 1_499.6), segment('a < b & b --> <i>c', 3_723_004, 3_724_000, 'x')];
  expect(formatVtt(segments, { speakers: false })).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n早晨\n\n01:02:03.004 --> 01:02:04.000\na &lt; b &amp; b --&gt; &lt;i&gt;c\n\n',
  );
  expect(formatVtt(segments, { speakers: true })).toContain('\nSPEAKER_00: a ');
  expect(formatVtt([], { speakers: false })).toBe('WEBVTT\n\n');
});

test('blocks are index, time range, text and a blank line, numbered without gaps', () => {
  const segments = [segment('早晨', 0, 1_499.6), segment('', 2_000), segment('你好', 3_723_004, 3_724_000)];
  expect(formatBlocks(segments, { speakers: false })).toBe(
    '1\n00:00:00,000 --> 00:00:01,500\n早晨\n\n2\n01:02:03,004 --> 01:02:04,000\n你好\n\n',
  );
});

test('times are rounded to milliseconds without 60 seconds, and can exceed 99 hours', () => {
  expect(formatBlocks([segment('a', 59_999.7, 359_999_999.9)], { speakers: false })).toContain(
    '00:01:00,000 --> 100:00:00,000',
  );
});

test('a segment that ends before it starts has no negative duration', () => {
  expect(formatBlocks([segment('a', 500, 100)], { speakers: false })).toContain('00:00:00,500 --> 00:00:00,500');
  expect(formatBlocks([segment('a', -20, -10)], { speakers: false })).toContain('00:00:00,000 --> 00:00:00,000');
});

test('a line break in a text does not break its block', () => {
  expect(formatBlocks([segment('一\n\n2\n二', 0)], { speakers: false }).split('\n')).toHaveLength(5);
});

test('speakers are numbered by first appearance', () => {
  const segments = [segment('喂', 0, 1, 'B'), segment('係', 2, 3, 'A'), segment('嗯', 4, 5, 'B')];
  expect(formatBlocks(segments, { speakers: true })).toMatch(/SPEAKER_00: 喂[^]*SPEAKER_01: 係[^]*SPEAKER_00: 嗯/);
  expect(formatDiarization(segments)).toBe('SPEAKER_00: 喂\nSPEAKER_01: 係\nSPEAKER_00: 嗯');
});

test('consecutive segments of a speaker are one line, and an unknown speaker has no name', () => {
  const segments = [segment('一', 0, 1, 'x'), segment('二', 2, 3, 'x'), segment('三', 4, 5, null)];
  expect(formatDiarization(segments)).toBe('SPEAKER_00: 一 二\n三');
});

test('no text of a SubRip file contains the arrow of its times', () => {
  const texts = ['-->', 'a --> b', '00:00:01,000 --> 00:00:02,000', '--->x<---', '----> 一', '-->-->', '-- >', '<--'];
  const written = texts.map((text) =>
    formatBlocks([segment(text, 0)], { speakers: false })
      .split('\n')
      .slice(2)
      .join(''),
  );
  expect(written.filter((text) => text.includes('-->'))).toEqual([]);
  expect(written.slice(-2)).toEqual(['-- >', '<--']);
  // Tried from every hyphen, this would take minutes.
  expect(numberedBlock(0, { startMs: 0, endMs: 1, text: `${'-'.repeat(300_000)}x` })).toContain('-x');
  const cue = { startMs: 0, endMs: 1, readWidth: 1, lines: ['一 -->', '--> 二'] };
  expect(formatSrt([cue]).match(/-->/g)).toHaveLength(1);
});
