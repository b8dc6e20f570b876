/** The part of a stream that may still be needed, by the numbers of its samples. */
export type RecentSamples = {
  append(samples: Float32Array): void;
  /**
   * Copies the available samples from `from` up to `to` (exclusive), with the number of the first.
   */
  slice(from: number, to: number): { samples: Float32Array; firstSample: number };
  discardBefore(sample: number): void;
};

/** Buffers audio in one reused block that grows only with the retained range and the chunk size. */
export function createRecentSamples(): RecentSamples {
  let memory = new Float32Array(1 << 19);
  /** Range of the buffered audio in `memory`, and the sample number of its start. */
  let begin = 0;
  let end = 0;
  let firstSample = 0;
  return {
    append(samples) {
      if (end + samples.length > memory.length) {
        const kept = memory.subarray(begin, end);
        if (kept.length + samples.length > memory.length) memory = new Float32Array(2 * (kept.length + samples.length));
        memory.set(kept);
        begin = 0;
        end = kept.length;
      }
      memory.set(samples, end);
      end += samples.length;
    },
    slice(from, to) {
      const first = Math.max(from, firstSample);
      return {
        samples: memory.slice(begin + first - firstSample, Math.min(end, begin + to - firstSample)),
        firstSample: first,
      };
    },
    discardBefore(sample) {
      const count = Math.max(0, Math.min(sample - firstSample, end - begin));
      begin += count;
      firstSample += count;
    },
  };
}
