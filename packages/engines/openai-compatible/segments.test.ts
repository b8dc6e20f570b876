import { describe, expect, it } from 'vitest';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { Answer, AnswerSegment, AnswerWord } from './answer.ts';
import { toSegments } from './segments.ts';

/** The upload of 4 s begins at 10 s, with speech from 10.2 s to 13.5 s. */
const SPEECH: SpeechSegment = {
  samples: new Float32Array(64_000),
  startMs: 10_000,
  speechStartMs: 10_200,
  speechEndMs: 13_500,
} as SpeechSegment;

const figures = { avgLogprob: null, noSpeechProbability: null, compressionRatio: null };
const part = (text: string, start: number, end: number, overrides: Partial<AnswerSegment> = {}): AnswerSegment => {
  return { text, start, end, ...figures, ...overrides };
};
const word = (text: string, start: number, end: number): AnswerWord => ({ word: text, start, end });

type Options = { language?: Language; timestamps?: 'word' | 'segment'; prompt?: string | null };
function segmentsOf(answer: Partial<Answer>, options: Options = {}): Segment[] {
  const { language = 'cantonese', timestamps = 'word', prompt = null } = options;
  const text = answer.text ?? answer.segments?.map((segment) => segment.text).join('') ?? '';
  return toSegments({ segments: [], words: [], ...answer, text }, SPEECH, { language, timestamps, prompt });
}
const textsOf = (answer: Partial<Answer>, options?: Options) => segmentsOf(answer, options).map(({ text }) => text);
const timesOf = (segments: readonly Segment[]) => segments.map(({ startMs, endMs }) => [startMs, endMs]);
const wordsOf = ({ words }: Segment) => words.map(({ text, startMs, endMs }) => [text, startMs, endMs]);

describe('text without times', () => {
  it('has the time of the speech, which its characters share', () => {
    const [segment] = segmentsOf({ text: '今日天' });
    expect(segment).toMatchObject({ text: '今日天', startMs: 10_200, endMs: 13_500, speaker: null, confidence: null });
    expect(wordsOf(segment!)).toEqual([
      ['今', 10_200, 11_300],
      ['日', 11_300, 12_400],
      ['天', 12_400, 13_500],
    ]);
  });

  it('has no words where none are asked for', () => {
    expect(segmentsOf({ text: '今日' }, { timestamps: 'segment' })[0]!.words).toEqual([]);
  });

  it.each(['', ' ', '。', '……！', '♪'])('is no segment without anything spoken: %j', (text) => {
    expect(segmentsOf({ text })).toEqual([]);
  });
});

describe('the segments of a server', () => {
  it('have their times in the recording', () => {
    const segments = segmentsOf({ segments: [part('今日，', 0.5, 1.25), part('好熱。', 1.5, 3)] });
    expect(segments.map(({ text }) => text)).toEqual(['今日，', '好熱。']);
    expect(timesOf(segments)).toEqual([
      [10_500, 11_250],
      [11_500, 13_000],
    ]);
  });

  it('that is the only one has the time of the speech, as Whisper begins at 0 whatever it hears', () => {
    expect(timesOf(segmentsOf({ segments: [part('今日。', 0, 4)] }))).toEqual([[10_200, 13_500]]);
  });

  it.each([
    ['end before they begin', [part('今日，', 2, 1), part('好熱。', 2, 3)]],
    ['go back', [part('今日，', 2, 3), part('好熱。', 1, 2)]],
    ['begin after the upload', [part('今日，', 0, 1), part('好熱。', 4, 5)]],
  ])('whose times %s are one for the whole upload', (_name, segments) => {
    const placed = segmentsOf({ segments, text: '今日，好熱。' });
    expect(placed.map(({ text }) => text)).toEqual(['今日，好熱。']);
    expect(timesOf(placed)).toEqual([[10_200, 13_500]]);
  });

  it('stay within the upload and do not overlap, whatever the server says', () => {
    const segments = segmentsOf({ segments: [part('今日，', -3, 2), part('好熱，', 1, 2.5), part('好凍。', 3, 99)] });
    expect(timesOf(segments)).toEqual([
      [10_000, 12_000],
      [12_000, 12_500],
      [13_000, 14_000],
    ]);
  });

  it('without any time left give their text to the one before', () => {
    const answer = { segments: [part('今日', 0, 3), part('好熱', 1, 2)] };
    const [only, ...laterSegments] = segmentsOf(answer);
    expect([only!.text, laterSegments]).toEqual(['今日好熱', []]);
    const english = { segments: [part('so', 0, 3), part('hot', 1, 2)] };
    expect(textsOf(english, { language: 'english' })).toEqual(['so hot']);
  });

  it('have the words whose middle is in them', () => {
    const answer = {
      segments: [part('今日，', 0.5, 1.5), part('好熱。', 1.5, 3)],
      words: [word('今', 0.5, 0.9), word('日', 0.9, 1.4), word('好', 1.45, 2), word('熱', 2, 2.8)],
    };
    const [first, second] = segmentsOf(answer);
    expect(wordsOf(first!)).toEqual([
      ['今', 10_500, 10_900],
      ['日', 10_900, 11_400],
    ]);
    // The word 好 begins before its segment, within the one before.
    expect(second).toMatchObject({ startMs: 11_500, endMs: 13_000 });
    expect(wordsOf(second!)).toEqual([
      ['好', 11_500, 12_000],
      ['熱', 12_000, 12_800],
    ]);
  });
});

describe('the words of a server', () => {
  it('are divided into characters, in order', () => {
    const words = [word('今日', 1, 2), word('好熱。', 2, 3)];
    expect(wordsOf(segmentsOf({ text: '今日好熱。', words })[0]!)).toEqual([
      ['今', 11_000, 11_500],
      ['日', 11_500, 12_000],
      ['好', 12_000, 12_500],
      ['熱', 12_500, 13_000],
    ]);
  });

  it('that go back in time begin where the one before ended', () => {
    const words = [word('今', 1, 2), word('日', 0.5, 1.5), word('熱', 3, 2)];
    const [segment] = segmentsOf({ text: '今日熱。', words });
    let reached = segment!.startMs;
    for (const { startMs, endMs } of segment!.words) {
      expect(startMs).toBeGreaterThanOrEqual(reached);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      reached = endMs;
    }
    expect(reached).toBeLessThanOrEqual(segment!.endMs);
  });
});

describe('the text', () => {
  it.each<[string, Language, string]>([
    ['今日好熱,你好嗎?', 'cantonese', '今日好熱，你好嗎？'],
    ['今日 好熱', 'cantonese', '今日，好熱'],
    ['今日好熱， 你呢？', 'cantonese', '今日好熱，你呢？'],
    ['今日好熱.', 'cantonese', '今日好熱。'],
    ['我买 iPhone 15', 'mandarin', '我买 iPhone 15'],
    ['這裡很熱', 'mandarin', '这里很热'],
    ['呢度好热', 'cantonese', '呢度好熱'],
    [' so   hot,\n today ', 'english', 'so hot, today'],
    ['3.5', 'english', '3.5'],
  ])('%j in %s is %j', (text, language, expected) => {
    expect(textsOf({ text }, { language })).toEqual([expected]);
  });

  it('without punctuation gets it from the pauses between its words', () => {
    const words = [...'今日好熱'].map((char, index) => word(char, 0.2 * index, 0.2 * index + 0.2));
    const later = [...'我想飲水'].map((char, index) => word(char, 2.2 + 0.2 * index, 2.4 + 0.2 * index));
    const [text] = textsOf({ text: '今日好熱我想飲水', words: [...words, ...later] });
    expect(text).toMatch(/^今日好熱[，。]我想飲水/);
  });
});

describe('invented text', () => {
  it('faster than speech can be is none', () => {
    expect(textsOf({ text: '好'.repeat(251) })).toEqual([]);
    expect(textsOf({ segments: [part('a b '.repeat(70), 0, 4)], text: 'x' }, { language: 'english' })).toEqual([]);
  });

  it('that repeats the prompt is none', () => {
    expect(textsOf({ text: '天文台。' }, { prompt: '天文台' })).toEqual([]);
    expect(textsOf({ text: '天文台。' }, { prompt: '颱風' })).toEqual(['天文台。']);
  });

  it('of which the server doubts that there is speech is none, one segment at a time', () => {
    const doubtful = { avgLogprob: -1.2, noSpeechProbability: 0.8 };
    expect(textsOf({ segments: [part('今日。', 0, 1), part('好熱。', 2, 3, doubtful)] })).toEqual(['今日。']);
    expect(textsOf({ segments: [part('好熱。', 0, 3, doubtful)] })).toEqual([]);
  });

  it('as the credits of subtitles is cut off, with the words of its segment', () => {
    const words = [word('今日好熱', 0.5, 2), word('字幕由', 2, 3)];
    const [segment] = segmentsOf({ text: '今日好熱。字幕由志愿者提供。', words });
    expect(segment!.text).toBe('今日好熱。');
    expect(segment!.words.map(({ text }) => text).join('')).toBe('今日好熱');
  });
});
