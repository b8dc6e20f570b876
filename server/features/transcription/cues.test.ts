import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { atomsOf, batchesOf, widthOf } from './cue-atoms.ts';
import { cutCues, MIN_CUE_MS } from './cues.ts';
import { formatBlocks, formatDiarization, formatPlain, formatVtt } from './format.ts';

const LIMITS = { maxCharacters: 20, maxMs: 7_000 };

/**
 * Consecutive characters of 200 ms; `pauses`: milliseconds before the character with that index.
 */
function spoken(text: string, options: { startMs?: number; pauses?: Record<number, number>; speaker?: string } = {}) {
  let atMs = options.startMs ?? 0;
  const words: Word[] = [];
  for (const character of text.match(/\p{Script=Han}|[\p{Script=Latin}'’\d]+/gu) ?? []) {
    atMs += options.pauses?.[words.length] ?? 0;
    words.push({ text: character, reading: null, startMs: atMs, endMs: atMs + 200, confidence: 0.5 });
    atMs += 200;
  }
  const startMs = options.startMs ?? 0;
  return { text, startMs, endMs: atMs, words, speaker: options.speaker ?? null, confidence: 0.5 } satisfies Segment;
}

/** One character of a speaker. */
const at = (startMs: number, speaker = 'a') => spoken('係', { startMs, speaker });

const texts = (cues: readonly Segment[]) => cues.map(({ text }) => text);

describe('a transcript is cut into cues', () => {
  it('silence gives no cue', async () => {
    expect(await cutCues([], LIMITS)).toEqual([]);
    expect(await cutCues([{ ...spoken(''), text: '  ' }], LIMITS)).toEqual([]);
  });

  it('a short segment is one cue', async () => {
    const whole = spoken('今日天氣好好');
    expect(await cutCues([whole], LIMITS)).toEqual([whole]);
  });

  it('long text is cut after the punctuation of clauses', async () => {
    const long = spoken('我哋今日去行山，帶咗好多水同埋飯盒，落山之後就去食糖水。');
    expect(texts(await cutCues([long], LIMITS))).toEqual([
      '我哋今日去行山，帶咗好多水同埋飯盒，',
      '落山之後就去食糖水。',
    ]);
  });

  it('text without punctuation is cut at a pause', async () => {
    const long = spoken('我哋今日去行山帶咗好多水同埋飯盒落山之後就去食糖水', { pauses: { 7: 500, 16: 400 } });
    expect(texts(await cutCues([long], LIMITS))).toEqual(['我哋今日去行山帶咗好多水同埋飯盒', '落山之後就去食糖水']);
  });

  it('no Chinese or English word is cut', async () => {
    const long = spoken('香港科技大學圖書館電腦中心運動場停車場巴士站地鐵站');
    const words = new Intl.Segmenter('zh-Hant', { granularity: 'word' });
    const ends = new Set<number>();
    for (const { index, segment } of words.segment(long.text)) ends.add(index + segment.length);
    let at = 0;
    for (const text of texts(await cutCues([long], LIMITS))) {
      at += text.length;
      expect(ends).toContain(at);
    }
    const english = spoken("internationalisation doesn't necessarily complicate straightforward programming");
    for (const text of texts(await cutCues([english], LIMITS))) {
      for (const word of text.split(' ')) expect(english.text.split(' ')).toContain(word);
    }
  });

  it('adjacent short segments share a cue, unless a long pause or a change of speaker separates them', async () => {
    expect(texts(await cutCues([at(0), at(700), at(1_400)], LIMITS))).toEqual(['係 係 係']);
    expect(texts(await cutCues([at(0), at(5_000)], LIMITS))).toEqual(['係', '係']);
    expect(texts(await cutCues([at(0), at(400, 'b'), at(800)], LIMITS))).toEqual(['係', '係', '係']);
  });

  it('a short cue lasts a second if the next one starts later', async () => {
    const [first, second] = await cutCues([spoken('係', { startMs: 0 }), spoken('好', { startMs: 3_000 })], LIMITS);
    expect([first?.endMs, second?.endMs]).toEqual([MIN_CUE_MS, 3_200]);
  });

  it('segments without words are cut, and their time is divided', async () => {
    const text = '我哋今日去行山，帶咗好多水同埋飯盒，落山之後就去食糖水。';
    const cues = await cutCues([{ ...spoken(text), words: [], startMs: 1_000, endMs: 9_000 }], LIMITS);
    expect(texts(cues).join('')).toBe(text);
    expect(cues.length).toBe(2);
    expect(cues[1]?.startMs).toBeGreaterThan(5_500);
    expect(cues[1]?.startMs).toBeLessThan(6_500);
  });

  it('the limits of the caller apply', async () => {
    const long = spoken('我哋今日去行山帶咗好多水同埋飯盒落山之後就去食糖水');
    expect(await cutCues([long], { maxCharacters: 60, maxMs: 60_000 })).toHaveLength(1);
    expect((await cutCues([long], { maxCharacters: 6, maxMs: 60_000 })).length).toBeGreaterThan(4);
    for (const { startMs, endMs } of await cutCues([long], { maxCharacters: 60, maxMs: 2_000 })) {
      expect(endMs - startMs).toBeLessThanOrEqual(2_000);
    }
  });
});

const aWord = oneof(
  constantFrom('香港', '科技', '我', '哋', '係', '好', '飲茶', '唔該', '電腦'),
  constantFrom('hello', "don't", 'GPT', '2046', 'A'),
);
const aMark = constantFrom('', '', '', '，', '。', '？', '、', '…');

/** Random transcripts: words and pauses of any length, with or without times, by any speakers. */
const aTranscript = array(
  record({
    words: array(tuple(aWord, aMark, integer({ min: 0, max: 900 }), integer({ min: 0, max: 700 })), {
      maxLength: 40,
    }),
    pauseMs: integer({ min: 0, max: 4_000 }),
    speaker: constantFrom(null, '0', '1'),
    isTimed: boolean(),
  }),
  { maxLength: 12 },
).map((drafts) => {
  let atMs = 0;
  return drafts.map(({ words, pauseMs, speaker, isTimed }): Segment => {
    const startMs = (atMs += pauseMs);
    const timed: Word[] = [];
    let text = '';
    for (const [word, mark, gapMs, lengthMs] of words) {
      atMs += gapMs;
      text += (/[a-z\d]$/i.test(text) && /^[a-z\d]/i.test(word) ? ' ' : '') + word + mark;
      timed.push({ text: word, reading: null, startMs: atMs, endMs: atMs + lengthMs, confidence: null });
      atMs += lengthMs;
    }
    return { text, startMs, endMs: atMs, words: isTimed ? timed : [], speaker, confidence: null };
  });
});

/** Texts that a word segmenter could read differently next to another text. */
const anEdge = constantFrom(
  '',
  '',
  '\n',
  '\r',
  '\u2028',
  '\u0301',
  '\u200d',
  '🇭',
  '🇰',
  '\ud842',
  '\udfb7',
  "'",
  '3',
  '.',
);

const bare = (text: string) => text.replaceAll(/\s+/gu, '');

/** The lines of a subtitle file that are shown. */
const blockTexts = (file: string) => file.split('\n').filter((_, index, lines) => lines[index - 1]?.includes('-->'));

it('the event loop runs while a transcript of ten hours is cut', async () => {
  const clause = '我哋今日去行山，帶咗好多水同埋飯盒，落山之後就去食糖水。';
  const segments = Array.from({ length: 5_000 }, (_, index) => spoken(clause, { startMs: index * 7_200 }));
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  await cutCues(segments, LIMITS);
  clearInterval(count);
  expect(turns).toBeGreaterThan(1);
});

describe('random transcripts', () => {
  it('segments whose words are looked for together have the words that each has alone', () => {
    assert(
      property(aTranscript, array(tuple(anEdge, anEdge), { minLength: 12, maxLength: 12 }), (drafts, edges) => {
        const segments = drafts.map((segment, index) => {
          const [before, after] = edges[index] ?? ['', ''];
          return { ...segment, text: before + segment.text + after };
        });
        const together = [...batchesOf(segments)].flatMap((batch) => atomsOf(batch));
        expect(together).toEqual(segments.flatMap((segment) => atomsOf([segment])));
      }),
      { numRuns: 500 },
    );
  });

  it('cues are ordered, do not overlap, respect the limits, contain every word once and cover all speech', async () => {
    await assert(
      asyncProperty(aTranscript, integer({ min: 4, max: 40 }), async (segments, maxCharacters) => {
        const limits = { maxCharacters, maxMs: 7_000 };
        const cues = await cutCues(segments, limits);
        let reachedMs = 0;
        for (const { startMs, endMs, text } of cues) {
          expect(startMs).toBeGreaterThanOrEqual(reachedMs);
          expect(endMs).toBeGreaterThanOrEqual(startMs);
          reachedMs = endMs;
          const units = [...new Intl.Segmenter('zh-Hant', { granularity: 'word' }).segment(text)];
          const spokenUnits = units.filter(({ isWordLike }) => isWordLike === true).length;
          // A single word may be longer.
          expect(spokenUnits > 1 ? widthOf(text) : 0).toBeLessThanOrEqual(maxCharacters);
        }
        const nonEmpty = segments.filter(({ text }) => text.trim() !== '');
        expect(cues.flatMap(({ words }) => words)).toEqual(nonEmpty.flatMap(({ words }) => words));
        for (const word of nonEmpty.flatMap(({ words }) => words)) {
          expect(cues.some(({ startMs, endMs }) => startMs <= word.startMs && endMs >= word.endMs)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('all formats have the same text, with and without speakers', async () => {
    await assert(
      asyncProperty(aTranscript, async (segments) => {
        const cues = await cutCues(segments, LIMITS);
        const text = bare(formatPlain(segments));
        expect(bare(formatPlain(cues))).toBe(text);
        expect(bare(blockTexts(formatBlocks(cues, { speakers: false })).join(''))).toBe(text);
        expect(bare(blockTexts(formatVtt(cues, { speakers: false })).join(''))).toBe(text);
        const withoutNames = (lines: string) => bare(lines.replaceAll(/^SPEAKER_\d\d: /gmu, ''));
        expect(withoutNames(blockTexts(formatBlocks(cues, { speakers: true })).join('\n'))).toBe(text);
        expect(withoutNames(formatDiarization(segments))).toBe(text);
        expect(formatDiarization(cues).split('\n').length).toBe(formatDiarization(segments).split('\n').length);
      }),
      { numRuns: 300 },
    );
  });
});
