import { describe, expect, it } from 'vitest';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import { newResult } from '#test/transcription-records.ts';
import { logprobsOf, tokenUsageOf, viewDiarized, viewJson, viewText, viewVerbose } from './views.ts';

const word = (text: string, startMs: number, endMs: number, confidence: number | null = null): Word => {
  return { text, reading: null, startMs, endMs, confidence };
};
function segment(text: string, startMs: number, endMs: number, more: Partial<Segment> = {}): Segment {
  return { text, startMs, endMs, words: [], speaker: null, confidence: null, ...more };
}
function result(segments: Segment[], more: Partial<TranscriptionResult> = {}): TranscriptionResult {
  return { ...newResult(), segments, ...more };
}
const both = new Set(['word', 'segment'] as const);

const speakersOf = (speakers: (string | null)[], speakerNames?: Record<string, string>) =>
  viewDiarized(
    result(
      speakers.map((speaker, index) => segment('好', index * 1_000, index * 1_000 + 900, { speaker })),
      speakerNames === undefined ? {} : { speakerNames },
    ),
  ).segments.map(({ speaker }) => speaker);

describe('speakers', () => {
  it('have letters in the order of their first words', () => {
    expect(speakersOf(['s1', 's0', 's1', 's2'])).toEqual(['A', 'B', 'A', 'C']);
  });

  it('beyond Z have two letters', () => {
    const many = Array.from({ length: 54 }, (_, index) => `s${index}`);
    const named = speakersOf(many);
    expect(named.slice(24, 29)).toEqual(['Y', 'Z', 'AA', 'AB', 'AC']);
    expect(named.slice(51, 54)).toEqual(['AZ', 'BA', 'BB']);
    expect(new Set(named).size).toBe(54);
  });

  it('who are known have their names; the letters of the others have no gaps', () => {
    expect(speakersOf(['s0', 's1', 's2'], { s1: 'Ann' })).toEqual(['A', 'Ann', 'B']);
  });

  it('who cannot be told are unknown', () => {
    expect(speakersOf(['s0', null])).toEqual(['A', 'unknown']);
  });

  it('have segments with numbered ids and times in seconds', () => {
    const { segments, duration } = viewDiarized(result([segment('好', 1_234.4, 2_000), segment('係', 2_500, 3_000)]));
    expect(duration).toBe(2.9);
    expect(segments.map(({ id, start, end, type }) => [id, start, end, type])).toEqual([
      ['seg_1', 1.234, 2, 'transcript.text.segment'],
      ['seg_2', 2.5, 3, 'transcript.text.segment'],
    ]);
  });
});

const ratioOf = (text: string) => viewVerbose(result([segment(text, 0, 100)]), both).segments![0]!.compression_ratio;

it('every JSON answer says that a recording ends too early, and what its sound without gaps costs', () => {
  const cut = result([segment('好', 0, 900)], { durationMs: 60_000, soundMs: 2_100, notice: 'cut_off' });
  for (const answer of [viewJson(cut, false), viewVerbose(cut, both), viewDiarized(cut)]) {
    expect(answer).toMatchObject({ notice: 'cut_off', usage: { seconds: 3 } });
  }
});

describe('verbose_json', () => {
  const words = [word('今', 0, 200, 0.5), word('日', 200, 400, 0.25)];
  const full = result([segment('今日', 0, 400, { words }), segment('好', 500, 900, { confidence: Math.exp(-2) })]);

  it('has words and segments as asked for', () => {
    expect(viewVerbose(full, new Set())).toMatchObject({ task: 'transcribe', language: 'cantonese', duration: 2.9 });
    expect(viewVerbose(full, new Set())).not.toHaveProperty('words');
    expect(viewVerbose(full, new Set())).not.toHaveProperty('segments');
    expect(viewVerbose(full, new Set(['word'])).words).toEqual([
      { word: '今', start: 0, end: 0.2 },
      { word: '日', start: 0.2, end: 0.4 },
    ]);
    expect(viewVerbose(full, both)).toHaveProperty('segments.length', 2);
  });

  it('has the mean of the logarithms of the words, or that of the segment', () => {
    const [first, second] = viewVerbose(full, both).segments!;
    expect(first!.avg_logprob).toBeCloseTo((Math.log(0.5) + Math.log(0.25)) / 2, 3);
    expect(second!.avg_logprob).toBe(-2);
  });

  it.each([
    [null, 0],
    // The logarithm of 0 is no number of JSON.
    [0, -13.8155],
    [1, 0],
  ])('with a confidence of %s has the logarithm %d', (confidence, expected) => {
    const [only] = viewVerbose(result([segment('好', 0, 100, { confidence })]), both).segments!;
    expect(only!.avg_logprob + 0).toBe(expected);
    expect(JSON.parse(JSON.stringify(only))).toEqual({ ...only, avg_logprob: expected });
  });

  it('shows repetition by how well the text can be compressed', () => {
    expect(ratioOf('好'.repeat(200))).toBeGreaterThan(10);
    expect(ratioOf('今日天氣好好，我哋去長洲食魚蛋')).toBeLessThan(1.5);
    expect(ratioOf('')).toBe(0);
  });

  it('counts the frames of 10 ms before a segment', () => {
    expect(viewVerbose(result([segment('好', 1_234, 2_000)]), both).segments![0]).toMatchObject({ id: 0, seek: 123 });
  });
});

describe('the charge', () => {
  it.each([
    [2_900, false, 3],
    [3_000, false, 3],
    [3_001, false, 4],
    [1, false, 1],
    [2_900, true, 0],
  ])('of %i ms (cached: %s) is %i seconds', (durationMs, isCached, seconds) => {
    const answer = viewJson(result([segment('好', 0, 100)], { durationMs, isCached }), false);
    expect(answer.usage).toEqual({ type: 'duration', seconds });
  });

  it('of a stream is in tokens: seconds of sound and characters of text', () => {
    expect(tokenUsageOf(result([]), 'a𠮷好')).toEqual({
      type: 'tokens',
      input_tokens: 3,
      input_token_details: { audio_tokens: 3, text_tokens: 0 },
      output_tokens: 3,
      total_tokens: 6,
    });
  });
});

describe('the probabilities of words', () => {
  const words = [word('𠮷', 0, 1, 1), word('好', 1, 2), word('係', 2, 3, 0)];

  it('have the bytes of UTF-8, without words of unknown probability', () => {
    expect(logprobsOf({ words })).toEqual([
      { token: '𠮷', bytes: [0xf0, 0xa0, 0xae, 0xb7], logprob: 0 },
      { token: '係', bytes: [0xe4, 0xbf, 0x82], logprob: -13.8155 },
    ]);
  });

  it('come only when they are asked for', () => {
    const answer = result([segment('𠮷好係', 0, 3, { words })]);
    expect(viewJson(answer, false)).not.toHaveProperty('logprobs');
    expect(viewJson(answer, true).logprobs).toHaveLength(2);
    expect(viewJson(answer, true).languages).toEqual([{ code: 'yue' }]);
  });
});

it('text formats have their media type', async () => {
  const answer = result([segment('今日', 0, 400), segment('好', 500, 900)]);
  const limits = { maxLines: null, maxLineCharacters: null } as never;
  expect((await viewText(answer, 'text', limits)).mediaType).toMatch(/^text\/plain/);
  expect((await viewText(answer, 'srt', limits)).text).toMatch(/^1\n00:00:00,000 --> 00:00:00,900\n今日/);
  expect((await viewText(answer, 'vtt', limits)).text).toMatch(/^WEBVTT/);
});
