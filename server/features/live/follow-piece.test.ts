import { describe, expect, it } from 'vitest';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';
import { followPiece, joinPieces, toPiece, type RecognizedPiece } from './follow-piece.ts';

const word = (text: string, startMs: number, endMs: number) => {
  return { text, reading: null, startMs, endMs, confidence: null };
};
const segment = (text: string, startMs: number, endMs: number, confidence: number | null = null): Segment => {
  return { text, startMs, endMs, words: [word(text, startMs, endMs)], speaker: null, confidence };
};
const speech = (startMs: number, speechStartMs: number, speechEndMs: number) => {
  return { samples: new Float32Array(16), startMs, speechStartMs, speechEndMs } as Parameters<typeof toPiece>[1];
};
const OPTIONS = { language: 'cantonese', context: '天氣' } as const;
const NEVER = new AbortController().signal;

/** A recognizer that keeps the chunks and options it gets, and answers with these segments. */
function recognizerOf(...segments: Segment[]) {
  const chunks: { startMs: number; length: number }[] = [];
  const requests: unknown[] = [];
  const recognizer = {
    follow: null,
    async *recognize(audio: AsyncIterable<{ startMs: number; samples: Float32Array }>, options: unknown) {
      requests.push(options);
      for await (const { startMs, samples } of audio) chunks.push({ startMs, length: samples.length });
      yield { type: 'progress', processedMs: 0 };
      for (const segment of segments) yield { type: 'segment-end', segment: segment, syllables: null };
    },
  } as unknown as Recognizer;
  return { recognizer, chunks, requests };
}

const piece = (text: string, confidence: number | null): RecognizedPiece => {
  return { text, words: [], startMs: text.length, endMs: 100 + text.length, confidence };
};

describe('a piece that is recognized anew each time', () => {
  it.each([
    [0, []],
    [1, [[0, 1]]],
    [16_000, [[0, 16_000]]],
    [
      40_000,
      [
        [0, 16_000],
        [1_000, 16_000],
        [2_000, 8_000],
      ],
    ],
  ])('of %i samples comes in chunks of a second', async (length, expected) => {
    const { recognizer, chunks, requests } = recognizerOf();
    const { update } = await followPiece(recognizer, OPTIONS);
    expect(await update(new Float32Array(length), NEVER)).toBeNull();
    expect(chunks.map(({ startMs, length: samples }) => [startMs, samples])).toEqual(expected);
    expect(requests).toEqual([{ ...OPTIONS, romanize: false }]);
  });

  it('has all of its segments as one, each time', async () => {
    const { recognizer } = recognizerOf(segment('今日', 100, 400, 0.5), segment('天氣', 600, 900, 0.9));
    const { update, finish } = await followPiece(recognizer, OPTIONS);
    const expected = {
      text: '今日天氣',
      startMs: 100,
      endMs: 900,
      words: [word('今日', 100, 400), word('天氣', 600, 900)],
      speaker: null,
      confidence: 0.7,
    };
    expect(await update(new Float32Array(1), NEVER)).toEqual(expected);
    expect(await finish(new Float32Array(1), NEVER)).toEqual(expected);
  });

  it('is followed by the means of the recognizer where it has some', async () => {
    const follower = { update: async () => null, finish: async () => null };
    const recognizer = { follow: async (options: object) => ({ ...follower, options }) } as unknown as Recognizer;
    expect(await followPiece(recognizer, OPTIONS)).toEqual({ ...follower, options: OPTIONS });
  });
});

describe('the times of a session', () => {
  it('are those of the piece and its place', () => {
    expect(toPiece(segment('好', 200, 500, 0.8), speech(10_000, 10_300, 10_400))).toEqual({
      text: '好',
      words: [word('好', 10_200, 10_500)],
      startMs: 10_200,
      endMs: 10_500,
      confidence: 0.8,
    });
  });

  it('are those of the speech where words are within it, or there are none', () => {
    const place = speech(10_000, 10_100, 10_900);
    expect(toPiece(segment('好', 200, 500), place)).toMatchObject({ startMs: 10_100, endMs: 10_900 });
    expect(toPiece({ ...segment('好', 0, 0), words: [] }, place)).toMatchObject({
      text: '好',
      startMs: 10_100,
      endMs: 10_900,
    });
    expect(toPiece(null, place)).toEqual({ text: '', words: [], startMs: 10_100, endMs: 10_900, confidence: null });
  });

  it('leave the words of the recognizer as they were', () => {
    const recognized = segment('好', 200, 500);
    toPiece(recognized, speech(10_000, 10_000, 11_000));
    expect(recognized).toEqual(segment('好', 200, 500));
  });
});

describe('pieces as one', () => {
  it.each<[RecognizedPiece[], string, number | null]>([
    [[piece('a', 0.5)], 'a', 0.5],
    [[piece('send', 0.5), piece('mail', null)], 'send mail', 0.5],
    [[piece('我', null), piece('你', null)], '我你', null],
    [[piece('我', 0), piece('ok', 1), piece('', null)], '我ok', 0.5],
  ])('%j', (pieces, text, confidence) => {
    const joined = joinPieces(pieces);
    expect(joined).toMatchObject({ text, confidence, startMs: pieces[0]!.startMs, endMs: pieces.at(-1)!.endMs });
  });

  it('are null where there is none', () => {
    expect(joinPieces([])).toBeNull();
  });
});
