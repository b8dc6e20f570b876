/** Statistics of voices, learned from many speakers: see `assignVoices`. */
export type VoiceStatistics = {
  /** Variance between speakers in each dimension, where one speaker's voice varies by 1. */
  between: readonly number[];
};

export type AssignmentRules = {
  /**
   * Weight of a window's evidence; below `parsimony`, because neighboring windows share audio and
   * the model is approximate.
   */
  evidence: number;
  /** Penalty for each speaker: higher finds fewer. */
  parsimony: number;
  /** Probability that the next window is the same speaker's. */
  staying: number;
  iterations: number;
};

/** Smallest increase of the lower bound of the likelihood that counts as progress. */
const MIN_GAIN = 0.01;
/** Natural logarithm of the odds of the assigned speaker against another one at first. */
const FIRST_CERTAINTY = 7;

/**
 * Bayesian hidden Markov model of windows of speech ("VBx": Landini, Profant, Diez and Burget
 * 2022): states are speakers, whose voices are drawn from a normal distribution with variances
 * `between`; windows vary around them by 1. Speakers that explain too little lose their windows,
 * which determines their number.
 * `voices` are in that space; `first` is an initial assignment with too many speakers; `weights`
 * are the weights of the windows. Returns the speaker probabilities of each window, row by row, and
 * the lower bound of the log likelihood, by which assignments that began differently compare.
 */
export function assignVoices(
  voices: readonly Float32Array[],
  weights: readonly number[],
  first: readonly number[],
  { between }: VoiceStatistics,
  rules: AssignmentRules,
): { shares: Float64Array; speakers: number; bound: number } {
  const speakers = Math.max(...first) + 1;
  const rho = voices.map((voice) => voice.map((value, i) => value * Math.sqrt(between[i]!)));
  let shares = firstShares(first, speakers);
  let prior = new Float64Array(speakers).fill(1 / speakers);
  let bound = -Infinity;
  for (let iteration = 0; iteration < rules.iterations; iteration += 1) {
    const models = speakerModels({ rho, weights }, shares, speakers, between, rules);
    const likelihoods = new Float64Array(voices.length * speakers);
    for (const [window, vector] of rho.entries()) {
      for (let speaker = 0; speaker < speakers; speaker += 1) {
        const { mean, spread } = models[speaker]!;
        let product = 0;
        for (let i = 0; i < mean.length; i += 1) product += vector[i]! * mean[i]!;
        likelihoods[window * speakers + speaker] = rules.evidence * weights[window]! * (product - 0.5 * spread);
      }
    }
    const passed = forwardBackward(likelihoods, prior, rules.staying);
    shares = passed.shares;
    prior = passed.prior;
    const newBound = passed.logLikelihood + rules.parsimony * models.reduce((sum, { gain }) => sum + gain, 0);
    const isDone = iteration > 3 && newBound - bound < MIN_GAIN;
    bound = newBound;
    if (isDone) break;
  }
  return { shares, speakers, bound };
}

function firstShares(first: readonly number[], speakers: number): Float64Array {
  const shares = new Float64Array(first.length * speakers);
  const [sure, other] = [Math.exp(FIRST_CERTAINTY), 1];
  const total = sure + other * (speakers - 1);
  for (const [window, speaker] of first.entries()) {
    for (let column = 0; column < speakers; column += 1) {
      shares[window * speakers + column] = (column === speaker ? sure : other) / total;
    }
  }
  return shares;
}

type SpeakerModel = { mean: Float64Array; spread: number; gain: number };

/** Computes the posterior distribution of each speaker's voice from its windows. */
function speakerModels(
  { rho, weights }: { rho: readonly Float32Array[]; weights: readonly number[] },
  shares: Float64Array,
  speakers: number,
  between: readonly number[],
  { evidence, parsimony }: AssignmentRules,
): SpeakerModel[] {
  const ratio = evidence / parsimony;
  return Array.from({ length: speakers }, (_, speaker) => {
    const sums = new Float64Array(between.length);
    let count = 0;
    for (const [window, vector] of rho.entries()) {
      const share = shares[window * speakers + speaker]! * weights[window]!;
      if (share < 1e-8) continue;
      count += share;
      for (let i = 0; i < sums.length; i += 1) sums[i]! += share * vector[i]!;
    }
    let spread = 0;
    let gain = 0;
    const mean = sums.map((sum, i) => {
      const variance = 1 / (1 + ratio * count * between[i]!);
      const value = ratio * variance * sum;
      spread += (variance + value * value) * between[i]!;
      gain += 0.5 * (Math.log(variance) - variance - value * value + 1);
      return value;
    });
    return { mean, spread, gain };
  });
}

/**
 * Computes speaker probabilities of each window and expected starts of each speaker: the speaker
 * stays with probability `staying`, otherwise one is drawn by `prior`. The values are scaled by
 * each window's largest likelihood against underflow.
 */
function forwardBackward(logLikelihoods: Float64Array, prior: Float64Array, staying: number) {
  const speakers = prior.length;
  const windows = logLikelihoods.length / speakers;
  const leaving = 1 - staying;
  const likelihoods = new Float64Array(logLikelihoods.length);
  const forward = new Float64Array(logLikelihoods.length);
  const scales = new Float64Array(windows);
  let logLikelihood = 0;
  for (let window = 0; window < windows; window += 1) {
    const at = window * speakers;
    let largest = -Infinity;
    for (let speaker = 0; speaker < speakers; speaker += 1) largest = Math.max(largest, logLikelihoods[at + speaker]!);
    let sum = 0;
    for (let speaker = 0; speaker < speakers; speaker += 1) {
      likelihoods[at + speaker] = Math.exp(logLikelihoods[at + speaker]! - largest);
      const before =
        window === 0 ? prior[speaker]! : staying * forward[at - speakers + speaker]! + leaving * prior[speaker]!;
      forward[at + speaker] = before * likelihoods[at + speaker]!;
      sum += forward[at + speaker]!;
    }
    sum = Math.max(sum, Number.MIN_VALUE);
    for (let speaker = 0; speaker < speakers; speaker += 1) forward[at + speaker]! /= sum;
    scales[window] = sum;
    logLikelihood += Math.log(sum) + largest;
  }
  const shares = new Float64Array(logLikelihoods.length);
  const next = new Float64Array(speakers);
  let backward = new Float64Array(speakers).fill(1);
  for (let window = windows - 1; window >= 0; window -= 1) {
    const at = window * speakers;
    for (let speaker = 0; speaker < speakers; speaker += 1)
      shares[at + speaker] = forward[at + speaker]! * backward[speaker]!;
    if (window === 0) break;
    // Likelihood of the later windows for each speaker, and for a newly drawn one.
    const laterLikelihoods = backward.map((value, speaker) => (value * likelihoods[at + speaker]!) / scales[window]!);
    const drawn = laterLikelihoods.reduce((sum, value, speaker) => sum + value * prior[speaker]!, 0);
    for (let speaker = 0; speaker < speakers; speaker += 1)
      next[speaker]! += leaving * prior[speaker]! * laterLikelihoods[speaker]!;
    backward = laterLikelihoods.map((value) => staying * value + leaving * drawn);
  }
  for (let speaker = 0; speaker < speakers; speaker += 1) next[speaker]! += shares[speaker]!;
  const total = next.reduce((sum, value) => sum + value, 0);
  return { shares, prior: next.map((value) => value / total), logLikelihood };
}
