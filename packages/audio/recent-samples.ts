/** The part of a stream that may still be needed, addressed by sample numbers. */
export type RecentSamples = {
  append(samples: Float32Array): void;
  /**
   * Copies the available samples from `from` up to `to` (exclusive), with the number of the first.
   */
  slice(from: number, to: number): { samples: Float32Array; firstSample: number };
  discardBefore(sample: number): void;
  /** Returns the number of the next sample. */
  endSample(): number;
};

/** Half a minute at the sample rate of recognizers: more than the longest segment. */
const INITIAL_SAMPLES = 1 << 19;

/**
 * Buffers audio in one reused block, because a new one per chunk would create megabytes of garbage
 * per second of audio. It grows only when the retained range and a chunk do not fit.
 */
export function createRecentSamples(initialSamples = INITIAL_SAMPLES): RecentSamples {
  let memory = new Float32Array(initialSamples);
  /** Range of the buffered audio in `memory`, and the sample number of its start. */
  let begin = 0;
  let end = 0;
  let firstSample = 0;
  return {
    append(samples) {
      if (end + samples.length > memory.length) {
        const retained = memory.subarray(begin, end);
        if (retained.length + samples.length > memory.length)
          memory = new Float32Array(2 * (retained.length + samples.length));
        memory.set(retained);
        begin = 0;
        end = retained.length;
      }
      memory.set(samples, end);
      end += samples.length;
    },
    slice(from, to) {
      const first = Math.max(from, firstSample);
      return {
        // Without the inner limit, a range that is wholly discarded would end at a negative index,
        // which counts from the end of the block.
        samples: memory.slice(begin + first - firstSample, Math.min(end, begin + Math.max(first, to) - firstSample)),
        firstSample: first,
      };
    },
    discardBefore(sample) {
      const count = Math.max(0, Math.min(sample - firstSample, end - begin));
      begin += count;
      firstSample += count;
    },
    endSample: () => firstSample + end - begin,
  };
}
