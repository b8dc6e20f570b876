import { expect, test } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import { cutCues } from '#features/transcription/cues.ts';
import { romanizedCues } from './romanized-cues.ts';

/**
 * A segment whose characters take 200 ms each; `isTimed` false: an engine that times segments only.
 */
function segmentOf(text: string, startMs: number, isTimed = true): Segment {
  const characters = Array.from(text.replaceAll(/[，。]/gu, ''));
  const words = characters.map((character, index) => ({
    text: character,
    reading: null,
    startMs: startMs + index * 200,
    endMs: startMs + index * 200 + 200,
    confidence: null,
  }));
  const endMs = startMs + characters.length * 200;
  return { text, startMs, endMs, words: isTimed ? words : [], speaker: null, confidence: null };
}
const LIMITS = { maxCharacters: 8, maxMs: 7_000 };
const SENTENCES = ['今日天氣好好，我哋去行山，落山食糖水。', '聽日再去。'];
const ROMANIZATION = [
  'gam1 jat6 tin1 hei3 hou2 hou2 ngo5 dei6 heoi3 haang4 saan1 lok6 saan1 sik6 tong4 seoi2',
  'ting1 jat6 zoi3 heoi3',
];
const segmentsOf = (isTimed: boolean) => [
  segmentOf(SENTENCES[0]!, 100, isTimed),
  segmentOf(SENTENCES[1]!, 9_000, isTimed),
];
const count = (text: string) => Array.from(text.replaceAll(/[，。\s]/gu, '')).length;
const textsOf = (cues: readonly Segment[]) => cues.map(({ text }) => text);

test('block by block there are as many syllables as characters, at the same times', async () => {
  const segments = segmentsOf(true);
  const cues = await cutCues(segments, LIMITS);
  expect(cues.length).toBeGreaterThan(2);
  const romanized = romanizedCues(cues, segments, ROMANIZATION);
  expect(romanized.map(({ text }) => text.split(' ').length)).toEqual(cues.map(({ text }) => count(text)));
  expect(romanized.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
    cues.map(({ startMs, endMs }) => [startMs, endMs]),
  );
  expect(textsOf(romanized)[0]).toMatch(/^gam1 jat6 tin1 hei3/);
});

test.each([
  ['as recognized', ROMANIZATION, true],
  ['times of segments only', ROMANIZATION, false],
  ['more than there are characters', [ROMANIZATION[0]!.repeat(2).replace('seoi2gam1', 'seoi2 gam1'), 'ting1'], true],
  ['fewer', ['gam1 seoi2', ''], true],
  ['none', ['', ''], true],
])('no syllable is lost and none moves: %s', async (_, romanization, isTimed) => {
  const segments = segmentsOf(isTimed);
  const romanized = romanizedCues(await cutCues(segments, LIMITS), segments, romanization);
  const all = textsOf(romanized).filter((text) => text !== '');
  expect(all.join(' ')).toBe(romanization.filter((text) => text !== '').join(' '));
});

test('an empty transcript gives no cues', () => {
  expect(romanizedCues([], [], [])).toEqual([]);
});
