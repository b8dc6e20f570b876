import { describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DecodedEnd } from './decode.ts';
import { withLookahead } from './lookahead.ts';

const RATE_HZ = 16_000;
const END: DecodedEnd = { isCutOff: true, tracks: [] };

const chunk = (index: number): PcmChunk => ({
  samples: new Float32Array(RATE_HZ).fill(index),
  sampleRateHz: RATE_HZ,
  startMs: index * 1_000,
});

/** Yields chunks of one second whose values are their numbers, and notes how far they were read. */
function seconds(count: number) {
  const state = { read: 0, closed: false };
  async function* source(): AsyncGenerator<PcmChunk, DecodedEnd> {
    try {
      for (; state.read < count;) yield { ...chunk(state.read++), gapMs: 100 };
      return END;
    } finally {
      state.closed = true;
    }
  }
  return { state, audio: withLookahead(source()) };
}

async function numbersOf(audio: AsyncIterable<PcmChunk>, limit = Infinity): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { samples } of audio) {
    numbers.push(samples[0]!);
    if (numbers.length >= limit) break;
  }
  return numbers;
}

describe('sound that is read in advance', () => {
  it('is complete for the second consumer, however much the first one read', async () => {
    for (const ahead of [1, 3, 5, 9]) {
      const { audio } = seconds(5);
      await numbersOf(audio.peek(), ahead);
      expect(await numbersOf(audio.take())).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it('can be read in advance twice, from the beginning', async () => {
    const { audio } = seconds(4);
    expect(await numbersOf(audio.peek(), 2)).toEqual([0, 1]);
    expect(await numbersOf(audio.peek(), 3)).toEqual([0, 1, 2]);
    expect(await numbersOf(audio.take())).toEqual([0, 1, 2, 3]);
  });

  it('continues where an earlier consumer stopped', async () => {
    const { audio } = seconds(4);
    await numbersOf(audio.peek(), 3);
    expect(await numbersOf(audio.take(), 1)).toEqual([0]);
    expect(await numbersOf(audio.take(), 2)).toEqual([1, 2]);
    expect(await numbersOf(audio.take())).toEqual([3]);
    expect(await numbersOf(audio.take())).toEqual([]);
  });

  it('is not read further than asked', async () => {
    const { audio, state } = seconds(100);
    await numbersOf(audio.peek(), 2);
    expect(state.read).toBe(2);
    await numbersOf(audio.take(), 2);
    expect(state.read).toBe(2);
  });

  it('tells how much of it has been read', async () => {
    const { audio } = seconds(3);
    expect(audio.durationMs()).toBe(0);
    await numbersOf(audio.peek(), 2);
    expect(audio.durationMs()).toBe(2_000);
    await numbersOf(audio.take());
    expect(audio.durationMs()).toBe(3_000);
  });

  it('tells how much of it is gaps, and at its end what is known there', async () => {
    const { audio } = seconds(3);
    expect([audio.gapMs(), audio.end()]).toEqual([0, null]);
    await numbersOf(audio.take(), 3);
    expect([audio.gapMs(), audio.end()]).toEqual([100, null]);
    await numbersOf(audio.take());
    await numbersOf(audio.take());
    expect([audio.gapMs(), audio.end()]).toEqual([100, END]);
  });

  it('closes its source, also when nothing was read to the end', async () => {
    const { audio, state } = seconds(100);
    await numbersOf(audio.peek(), 1);
    await audio[Symbol.asyncDispose]();
    expect(state.closed).toBe(true);
    expect(await numbersOf(audio.take())).toEqual([0]);
  });
});
