import { describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import { openSoundWindow } from './sound-window.ts';

const signal = new AbortController().signal;

/**
 * Makes a recording whose samples are their numbers, in chunks, and notes which chunks were read
 * and whether it was closed.
 */
function recording(lengths: readonly number[], sampleRateHz = 16_000) {
  const reading = { chunks: 0, isClosed: false };
  async function* chunks(): AsyncGenerator<PcmChunk> {
    let at = 0;
    try {
      for (const length of lengths) {
        reading.chunks += 1;
        const samples = Float32Array.from({ length }, (_, index) => at + index);
        yield { samples, sampleRateHz, startMs: (at * 1_000) / sampleRateHz };
        at += length;
        await Promise.resolve();
      }
    } finally {
      reading.isClosed = true;
    }
  }
  return { reading, window: openSoundWindow(chunks()) };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('a window on a recording', () => {
  it('gives the samples of each range, however the recording was cut', async () => {
    for (const lengths of [[100], [1, 99], Array.from({ length: 100 }, () => 1), [33, 0, 67]]) {
      const { window } = recording(lengths);
      expect([...(await window.take(0, 10, signal))]).toEqual(range(0, 10));
      expect([...(await window.take(5, 40, signal))]).toEqual(range(5, 40));
      expect([...(await window.take(90, 95, signal))]).toEqual(range(90, 95));
    }
  });

  it('reads no further than it is asked', async () => {
    const { window, reading } = recording([10, 10, 10, 10]);
    await window.take(0, 15, signal);
    expect(reading.chunks).toBe(2);
  });

  it('gives fewer samples at the end, and none after it', async () => {
    const { window } = recording([10, 10]);
    expect([...(await window.take(15, 40, signal))]).toEqual(range(15, 20));
    expect([...(await window.take(30, 40, signal))]).toEqual([]);
  });

  it('releases the recording when it is closed early', async () => {
    const { window, reading } = recording([10, 10]);
    await window.take(0, 5, signal);
    await window.close();
    expect(reading.isClosed).toBe(true);
  });

  it('ends with the reason of an abort', async () => {
    const { window } = recording([10, 10]);
    await expect(window.take(0, 5, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('refuses sound of another rate instead of mistaking its times', async () => {
    const { window } = recording([10], 8_000);
    await expect(window.take(0, 5, signal)).rejects.toMatchObject({ code: 'internal_error' });
  });
});
