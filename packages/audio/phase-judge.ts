import { pearson, standardDeviation } from '@jyutsing/numeric/statistics';

/** How two channels become one: by their mean, or by half of their difference. */
export type StereoChoice = 'mean' | 'difference';

/**
 * Chooses between mean and difference for one block of sound after the other. A block is given as
 * the samples of both, whose powers add up to the mean power of the two channels.
 */
export type PhaseJudge = {
  /** Takes the next block, which begins at sample `from`. */
  measure(mean: Float32Array, difference: Float32Array, from: number, length: number): void;
  /** Chooses for the first block without a choice, by all blocks measured so far. */
  choose(): StereoChoice;
  /** Says that no block will follow those measured so far. */
  end(): void;
};

/** Choices depend on the sound of this time, up to the block measured last. */
const WINDOW_MS = 2_000;
/** Time between two assessments of the window. */
const ASSESSED_EVERY_MS = 500;
/** The mean stays for this time after it had a sound of its own. */
const DISTINCT_MS = 4_000;
/** The difference is not chosen before this time was measured, unless there is no more. */
const MIN_EVIDENCE_MS = 1_000;
/** One of the two is chosen where it has this many times the power of the other. */
const CLEARLY_LOUDER = 4;
/** Between similar channels, the difference is left where it has less than this. */
const LOUDER = 2;
/** Blocks below this share of the power of the loudest one change nothing. */
const SILENT_SHARE = 1e-4;

/**
 * How the sounds of two channels are related in a window. `same`: they are equal but for factors,
 * which may change in it. `similar`: one is the other with a delay, in a room or with noise.
 * `distinct`: the mean has a sound of its own, such as speech in the center of music.
 */
type Relation = 'same' | 'similar' | 'distinct';

/** Largest share of the power of equal sounds that is not common to both channels: noise. */
const MAX_REST_OF_SAME = 0.03;
/** Least power of a distinct sound: as a share of all, of the quieter of mean and difference, … */
const MIN_REST = 0.001;
const MIN_REST_OF_QUIETER = 0.1;
/** … and least share of the difference in the power of the mean; a weaker one is no matter. */
const MIN_DIFFERENCE = 0.03;
/** The level of a distinct sound varies more than that of noise, … */
const MIN_DEVIATION_DB = 3;
/** … and not with the level of the difference, as that of an echo does. */
const MAX_CORRELATION = 0.3;
/** Powers below this share of the greatest count as silence where levels are compared. */
const LEVEL_RANGE = 1e-3;

/** Mean powers of a block or a window, without offset. `rest` is that of a second sound. */
type Powers = { mean: number; difference: number; rest: number };
type Window = Powers & {
  loudest: number;
  /** True if a block has a clearly louder difference; otherwise the relation is not assessed. */
  isDifferenceLouder: boolean;
  relation: Relation;
};

/**
 * Creates a judge for blocks of `blockMs`, of which those of WINDOW_MS at most may wait for a
 * choice. It looks at every `stride`th sample, which have the power of all. A sound in opposite
 * phase is missing in the mean, so the difference has far more power there. But it has so too where
 * speech in the center pauses over music in opposite phase, and then the mean must stay. Both are
 * told apart by the covariance of the channels: a single sound in both gives a matrix of rank one,
 * so its smaller eigenvalue is the power of a second sound.
 */
export function createPhaseJudge(blockMs: number, stride = 1): PhaseJudge {
  const recent = createRecentBlocks(WINDOW_MS / blockMs + 1);
  let measured = 0;
  let chosen = 0;
  let distinctUntil = 0;
  let isEnded = false;
  let window = emptyWindow();
  let choice: StereoChoice = 'mean';
  return {
    measure(mean, difference, from, length) {
      recent.add(powersOf(mean, difference, { from, length, stride }));
      measured += 1;
    },
    choose() {
      const isFirst = chosen === 0;
      if (chosen % (ASSESSED_EVERY_MS / blockMs) === 0) {
        window = recent.assess();
        if (window.relation === 'distinct') distinctUntil = chosen + DISTINCT_MS / blockMs;
      }
      const block = recent.at(chosen);
      chosen += 1;
      const isUndecided = !isEnded && measured < MIN_EVIDENCE_MS / blockMs;
      if (isUndecided || !window.isDifferenceLouder || chosen <= distinctUntil) choice = 'mean';
      else if (isFirst || block.mean + block.difference > SILENT_SHARE * window.loudest) {
        const isSimilar = window.relation === 'similar';
        const { mean, difference } = isFirst || isSimilar ? window : block;
        if (difference > CLEARLY_LOUDER * mean) choice = 'difference';
        else if (isSimilar ? difference < LOUDER * mean : mean > CLEARLY_LOUDER * difference) choice = 'mean';
      }
      return choice;
    },
    end: () => void (isEnded = true),
  };
}

function powersOf(
  mean: Float32Array,
  difference: Float32Array,
  { from, length, stride }: { from: number; length: number; stride: number },
): Powers {
  let sumM = 0;
  let sumD = 0;
  let squaresM = 0;
  let squaresD = 0;
  let products = 0;
  for (let i = from; i < from + length; i += stride) {
    const m = mean[i]!;
    const d = difference[i]!;
    sumM += m;
    sumD += d;
    squaresM += m * m;
    squaresD += d * d;
    products += m * d;
  }
  const count = Math.ceil(length / stride);
  const powerM = Math.max(0, squaresM / count - (sumM / count) ** 2);
  const powerD = Math.max(0, squaresD / count - (sumD / count) ** 2);
  const covariance = products / count - (sumM / count) * (sumD / count);
  const spread = Math.sqrt((powerM - powerD) ** 2 + 4 * covariance ** 2);
  return { mean: powerM, difference: powerD, rest: Math.max(0, (powerM + powerD - spread) / 2) };
}

const emptyWindow = (): Window => ({
  mean: 0,
  difference: 0,
  rest: 0,
  loudest: 0,
  isDifferenceLouder: false,
  relation: 'same',
});

/** Keeps the powers of the last `size` blocks, which are numbered from 0 on. */
function createRecentBlocks(size: number) {
  const means = new Float64Array(size);
  const differences = new Float64Array(size);
  const rests = new Float64Array(size);
  let count = 0;
  return {
    add({ mean, difference, rest }: Powers): void {
      means[count % size] = mean;
      differences[count % size] = difference;
      rests[count % size] = rest;
      count += 1;
    },
    at: (number: number) => ({ mean: means[number % size]!, difference: differences[number % size]! }),
    assess(): Window {
      const length = Math.min(count, size);
      const window = emptyWindow();
      for (let i = 0; i < length; i += 1) {
        const mean = means[i]!;
        const difference = differences[i]!;
        window.mean += mean;
        window.difference += difference;
        // A block in which the phase flips has a rest as well, but only one of its neighbors may.
        window.rest += Math.min(rests[i]!, rests[(i + 1) % length]!, rests[(i + 2) % length]!);
        window.loudest = Math.max(window.loudest, mean + difference);
        window.isDifferenceLouder ||= difference > CLEARLY_LOUDER * mean;
      }
      if (window.isDifferenceLouder)
        window.relation = relationOf(window, means.subarray(0, length), differences.subarray(0, length));
      return window;
    },
  };
}

function relationOf({ mean, difference, rest }: Powers, means: Float64Array, differences: Float64Array): Relation {
  const isDistinct =
    rest > MIN_REST * (mean + difference) &&
    rest > MIN_REST_OF_QUIETER * Math.min(mean, difference) &&
    difference > MIN_DIFFERENCE * mean &&
    variesByItself(means, differences);
  if (isDistinct) return 'distinct';
  return rest > MAX_REST_OF_SAME * (mean + difference) ? 'similar' : 'same';
}

/** Returns true if the level of the mean varies, and not together with that of the difference. */
function variesByItself(means: Float64Array, differences: Float64Array): boolean {
  const loudest = means.reduce((most, power, i) => Math.max(most, power, differences[i]!), 0);
  const isLoud = (_: number, i: number) => Math.max(means[i]!, differences[i]!) > loudest * LEVEL_RANGE;
  const meanLevels = levelsOf(means.filter(isLoud));
  if (standardDeviation(meanLevels) < MIN_DEVIATION_DB) return false;
  return (pearson(meanLevels, levelsOf(differences.filter(isLoud))) ?? 0) < MAX_CORRELATION;
}

/** Returns levels in dB below the loudest, over LEVEL_RANGE. */
function levelsOf(powers: Float64Array): Float64Array {
  const loudest = powers.reduce((most, power) => Math.max(most, power), Number.MIN_VALUE);
  return powers.map((power) => 10 * Math.log10(Math.max(LEVEL_RANGE, power / loudest)));
}
