/** The part of a stream that may still be needed, by the numbers of its samples. */
export type RecentSamples = {
  append(samples: Float32Array): void;
  /** A copy of samples `from` to `to` (not included), or of those of them that are there, and the number of the first. */
  slice(from: number, to: number): { samples: Float32Array; firstSample: number };
  discardBefore(sample: number): void;
};

/** Keeps sound in one block that is used again; it grows only with what was not forgotten, and with the size of the chunks. */
export function createRecentSamples(): RecentSamples {
  let memory = new Float32Array(1 << 19);
  /** Where the kept sound begins and ends in `memory`, and which sample of the stream is the first. */
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
