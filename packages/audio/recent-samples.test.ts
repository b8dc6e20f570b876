import { array, assert, nat, oneof, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecentSamples } from './recent-samples.ts';

/** Samples whose values are their positions, so that a wrong position shows. */
const STREAM = Float32Array.from({ length: 5_000_000 }, (_, index) => index);
const numbered = (from: number, count: number) => STREAM.slice(from, from + count);

describe('a buffer of recent samples', () => {
  it('gives the samples of a range by their numbers in the stream', () => {
    const buffer = createRecentSamples();
    buffer.append(numbered(0, 100));
    buffer.append(numbered(100, 50));
    expect(buffer.endSample()).toBe(150);
    expect(buffer.slice(98, 102)).toEqual({ samples: numbered(98, 4), firstSample: 98 });
  });

  it('gives what there is of a range that is partly discarded or not yet received', () => {
    const buffer = createRecentSamples();
    buffer.append(numbered(0, 100));
    buffer.discardBefore(40);
    expect(buffer.slice(10, 50)).toEqual({ samples: numbered(40, 10), firstSample: 40 });
    expect(buffer.slice(90, 500)).toEqual({ samples: numbered(90, 10), firstSample: 90 });
  });

  it('gives nothing of a range that is wholly discarded or not yet received', () => {
    const buffer = createRecentSamples();
    buffer.append(numbered(0, 100));
    buffer.discardBefore(40);
    expect(buffer.slice(10, 30).samples).toHaveLength(0);
    expect(buffer.slice(100, 200).samples).toHaveLength(0);
    expect(buffer.slice(150, 120).samples).toHaveLength(0);
  });

  it('keeps its numbers when it discards more than it holds', () => {
    const buffer = createRecentSamples();
    buffer.append(numbered(0, 100));
    buffer.discardBefore(1_000);
    expect(buffer.endSample()).toBe(100);
    buffer.append(numbered(100, 10));
    expect(buffer.slice(0, 200)).toEqual({ samples: numbered(100, 10), firstSample: 100 });
  });

  it('gives copies that later sound does not overwrite', () => {
    const buffer = createRecentSamples();
    buffer.append(numbered(0, 100));
    const { samples } = buffer.slice(0, 100);
    buffer.discardBefore(100);
    for (let from = 100; from < 1 << 20; from += 100_000) {
      buffer.append(numbered(from, 100_000));
      buffer.discardBefore(from);
    }
    expect(samples).toEqual(numbered(0, 100));
  });

  it('gives nothing of a range that was discarded and whose memory was used again', () => {
    const buffer = createRecentSamples();
    buffer.append(numbered(0, 300_000));
    buffer.discardBefore(300_000);
    // The chunk does not fit behind the first one, so the block begins again.
    buffer.append(numbered(300_000, 300_000));
    expect(buffer.slice(4, 2_000).samples).toHaveLength(0);
  });

  it('behaves like an array for any chunks, ranges and discards', () => {
    const step = record({
      // Some chunks are larger than the first block of memory.
      append: oneof(nat(5_000), nat(600_000)),
      discard: nat(1_500_000),
      from: nat(2_000_000),
      length: nat(2_000),
    });
    assert(
      property(array(step, { maxLength: 8 }), (steps) => {
        const buffer = createRecentSamples();
        let [first, end] = [0, 0];
        for (const { append, discard, from, length } of steps) {
          buffer.append(numbered(end, append));
          end += append;
          buffer.discardBefore(discard);
          first = Math.max(first, Math.min(discard, end));
          const [start, stop] = [Math.max(from, first), Math.min(from + length, end)];
          expect(buffer.endSample()).toBe(end);
          expect(buffer.slice(from, from + length).samples).toEqual(numbered(start, Math.max(0, stop - start)));
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
