import { describe, expect, it } from 'vitest';
import { findSentences, speakAt } from './timed-sentences.ts';

const RATE_HZ = 16_000;
const sentences = [
  { text: '巴士站喺對面馬路。', startMs: 400 },
  { text: '小朋友喺操場度踢波。', startMs: 3_000 },
];
const original = await speakAt(sentences, 6_000, RATE_HZ);
const samples = original.channels[0]!;
const found = (sound: Float32Array) =>
  findSentences(sound, { original, sentences }).map(({ sentence, startMs }) => [sentence, Math.round(startMs)]);

describe('sentences are found', () => {
  it('at their times, also upside down, softer and with an offset', () => {
    const changed = samples.map((sample) => 0.02 - sample / 20);
    expect([found(samples), found(changed)]).toEqual([
      [
        [0, 400],
        [1, 3_000],
      ],
      [
        [0, 400],
        [1, 3_000],
      ],
    ]);
  });

  it('earlier where the beginning is missing, and twice where they are twice', () => {
    const cut = samples.subarray(0.5 * RATE_HZ);
    const twice = Float32Array.from([...cut, ...cut]);
    expect(found(twice)).toEqual([
      [0, -100],
      [1, 2_500],
      [0, 5_400],
      [1, 8_000],
    ]);
  });

  it('not in silence, nor where only others are', () => {
    expect(found(new Float32Array(RATE_HZ))).toEqual([]);
    expect(found(samples.subarray(2.8 * RATE_HZ))).toEqual([[1, 200]]);
  });
});
