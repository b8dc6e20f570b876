import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { AcousticLabels, Posteriors } from '#engines/builtin/decoder/types.ts';
import { symbolCount } from '#engines/builtin/decoder/labels.ts';

/** Frames from `startFrame` to before `endFrame`. */
export type Stretch = { startFrame: number; endFrame: number };

/** A sound as the heads of all languages heard it. */
type HeardByAll = {
  posteriors: Readonly<Record<Language, Posteriors>>;
  /** Scores of LANGUAGES, a row for each frame. */
  languageScore: { data: Float32Array };
};

/** Length over which scores are averaged: a word or two. */
const WINDOW_S = 0.7;
/** Weight of how sure a head is of its symbols (nats) beside the scores of languages. */
const CERTAINTY_WEIGHT = 20;
/**
 * Least sum for English. On recordings of people, a window of Chinese has it in 1 of 30 cases and
 * one of English in 19 of 20; what is found is then read in both languages.
 */
const LEAST_SCORE = -7;
/** Least share of a window in which the head for English hears letters. */
const LEAST_LETTERS = 0.1;
/** Shorter gaps are closed, and shorter stretches are none. */
const LONGEST_GAP_S = 0.3;
const SHORTEST_S = 0.4;

/**
 * Finds the stretches of Chinese speech that may be English, in order: where the head for languages
 * says so and the head for letters is sure of what it hears, beside the one for syllables.
 */
export function englishStretches(
  { posteriors, languageScore: { data } }: HeardByAll,
  chinese: Exclude<Language, 'english'>,
  labels: Readonly<Record<Language, AcousticLabels>>,
): Stretch[] {
  const { frameCount } = posteriors.english;
  const frames = (seconds: number): number => Math.round((seconds * 1_000) / labels.english.frameMs);
  const lead = runningSums(frameCount, (frame) => leadOfEnglish(data, frame));
  const letters = certaintyOf(posteriors.english, symbolCount(labels.english));
  const syllables = certaintyOf(posteriors[chinese], symbolCount(labels[chinese]));
  const half = Math.floor(frames(WINDOW_S) / 2);
  const found: Stretch[] = [];
  for (let frame = 0; frame < frameCount; frame++) {
    const [from, to] = [Math.max(0, frame - half), Math.min(frameCount, frame + half + 1)];
    const mean = (sums: Float64Array): number => ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
    const certainty = ({ share, logp }: Certainty): number => mean(logp) / Math.max(mean(share), 1e-5);
    if (mean(letters.share) < LEAST_LETTERS) continue;
    const surer = certainty(letters) - certainty(syllables);
    if (!(mean(lead) + CERTAINTY_WEIGHT * surer > LEAST_SCORE)) continue;
    const last = found.at(-1);
    if (last !== undefined && frame - last.endFrame < frames(LONGEST_GAP_S)) last.endFrame = frame + 1;
    else found.push({ startFrame: frame, endFrame: frame + 1 });
  }
  return found.filter(({ startFrame, endFrame }) => endFrame - startFrame >= frames(SHORTEST_S));
}

function leadOfEnglish(scores: Float32Array, frame: number): number {
  const scoreOf = (language: Language): number => scores[frame * LANGUAGES.length + LANGUAGES.indexOf(language)] ?? 0;
  return scoreOf('english') - Math.max(scoreOf('cantonese'), scoreOf('mandarin'));
}

/** Running sums of the probability of the likeliest symbol, and of that times its logarithm. */
type Certainty = { share: Float64Array; logp: Float64Array };

function certaintyOf({ symbolLogp, frameCount }: Posteriors, width: number): Certainty {
  const best = Float64Array.from({ length: frameCount }, (_, frame) => {
    let top = -Infinity;
    for (let column = 1; column < width; column++) top = Math.max(top, symbolLogp[frame * width + column] ?? -Infinity);
    return Math.max(top, -50);
  });
  return {
    share: runningSums(frameCount, (frame) => Math.exp(best[frame] ?? 0)),
    logp: runningSums(frameCount, (frame) => Math.exp(best[frame] ?? 0) * (best[frame] ?? 0)),
  };
}

function runningSums(length: number, valueAt: (index: number) => number): Float64Array {
  const sums = new Float64Array(length + 1);
  for (let index = 0; index < length; index++) sums[index + 1] = (sums[index] ?? 0) + valueAt(index);
  return sums;
}
