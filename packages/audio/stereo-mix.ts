import { joinSamples } from './join-samples.ts';
import { PairQueue, type Pair } from './pair-queue.ts';
import { createPhaseJudge, type StereoChoice } from './phase-judge.ts';

/** Makes one channel of two, given as their mean and half of their difference. */
export type StereoMix = {
  /** Returns memory in which the next samples may be written, at most `length`. */
  reserve(length: number): Pair;
  /** Takes as many samples from there; returns those decided, valid until the next call. */
  take(length: number): Float32Array;
  /** Takes equal numbers of samples from elsewhere. */
  push(mean: Float32Array, difference: Float32Array): Float32Array;
  /** Returns the samples that are held. Further samples begin anew. */
  flush(): Float32Array;
  /** Gives the memory back; call nothing else afterwards. */
  close(): void;
};

const BLOCK_MS = 10;
/** A change from one to the other fades over this time: a step would be a click. */
const FADE_MS = 5;
/** Sound is judged by about so many samples per second; more cost time and tell no more. */
const JUDGED_RATE_HZ = 16_000;

/**
 * Mixes two channels by their mean, except where they have the same sound in opposite phase, which
 * cancels in the mean: there by half of their difference. The output lags by `lookaheadMs` and one
 * block of 10 ms at most.
 */
export function createStereoMix(sampleRateHz: number, lookaheadMs: number): StereoMix {
  const blockLength = Math.max(1, Math.round((sampleRateHz * BLOCK_MS) / 1_000));
  const fadeLength = Math.round((sampleRateHz * FADE_MS) / 1_000);
  const lookaheadLength = Math.round(lookaheadMs / BLOCK_MS) * blockLength;
  const newJudge = () => createPhaseJudge(BLOCK_MS, Math.max(1, Math.round(sampleRateHz / JUDGED_RATE_HZ)));
  let judge = newJudge();
  let choice: StereoChoice = 'mean';
  const held = new PairQueue(lookaheadLength);
  /** How many of the held samples were measured. */
  let judged = 0;
  const parts = createJoinedParts();

  const measure = (length: number): void => {
    judge.measure(held.memory.mean, held.memory.difference, held.start + judged, length);
    judged += length;
  };
  /** Decides the first held block, with a fade where the choice changes. */
  const decide = (length: number): void => {
    const [before, { memory, start }] = [choice, held];
    choice = judge.choose();
    if (choice !== before) fade(memory[choice], memory[before], { start, length: Math.min(fadeLength, length) });
    parts.add(memory[choice], start, length);
    held.drop(length);
    judged -= length;
  };
  const take = (length: number): Float32Array => {
    held.add(length);
    for (let blocks = Math.floor((held.length - judged) / blockLength); blocks > 0; blocks -= 1) {
      measure(blockLength);
      if (judged > lookaheadLength) decide(blockLength);
    }
    return parts.take();
  };

  return {
    reserve: (length) => held.reserve(length),
    take,
    push(mean, difference) {
      const memory = held.reserve(mean.length);
      memory.mean.set(mean);
      memory.difference.set(difference);
      return take(mean.length);
    },
    flush() {
      if (held.length > judged) measure(held.length - judged);
      judge.end();
      for (let left = held.length; left > 0; left -= blockLength) decide(Math.min(blockLength, left));
      judge = newJudge();
      return parts.take();
    },
    close: () => held.close(),
  };
}

/** Makes the beginning of samples a fade from others. */
function fade(samples: Float32Array, from: Float32Array, { start, length }: { start: number; length: number }): void {
  for (let i = 0; i < length; i += 1)
    samples[start + i]! += (1 - i / length) * (from[start + i]! - samples[start + i]!);
}

/** Joins parts of memory; those that follow one another there, as most do, without a copy. */
function createJoinedParts() {
  let copies: Float32Array[] = [];
  let memory: Float32Array = NOTHING;
  let [start, end] = [0, 0];
  return {
    add(from: Float32Array, at: number, length: number): void {
      if (from !== memory || at !== end) {
        if (end > start) copies.push(memory.slice(start, end));
        [memory, start] = [from, at];
      }
      end = at + length;
    },
    /** Returns all parts since the last call, valid until the memory is written. */
    take(): Float32Array {
      const last = memory.subarray(start, end);
      const joined = copies.length === 0 ? last : joinSamples([...copies, last]);
      copies = [];
      [memory, start, end] = [NOTHING, 0, 0];
      return joined;
    },
  };
}

const NOTHING = new Float32Array(0);
