import { mean, quantile, standardDeviation, sum } from '@jyutsing/numeric/statistics';
import { activeIn, CEPSTRA, loudestOf, PEAKS, SOUND_FRAME_MS, type SoundFrames } from './sound-frames.ts';
import { stepsIn } from './voice-model.ts';

/**
 * Length of the windows in which sound is judged, so that two words within a minute of music are
 * found.
 */
const WINDOW_MS = 1_500;
const WINDOW_STEP_MS = 500;
const WINDOW = WINDOW_MS / SOUND_FRAME_MS;
const STEP = WINDOW_STEP_MS / SOUND_FRAME_MS;
/** Least number of active frames in a window. */
const MIN_ACTIVE = 4;
const VOICED = 0.5;

/**
 * A window: frames up to `endFrame`, exclusive, of which `active` are not far below its loudest.
 */
export type SoundWindow = { index: number; firstFrame: number; endFrame: number; active: readonly number[] };

/** Lays windows over frames, skipping nearly silent ones; a short recording is one window. */
export function windowsOf({ count, levelDb }: SoundFrames): SoundWindow[] {
  const windows: SoundWindow[] = [];
  for (let firstFrame = 0; firstFrame === 0 || firstFrame + WINDOW - STEP < count; firstFrame += STEP) {
    const endFrame = Math.min(count, firstFrame + WINDOW);
    const active = [...activeIn(levelDb.subarray(firstFrame, endFrame))].flatMap((isActive, i) =>
      isActive === 1 ? [firstFrame + i] : [],
    );
    if (active.length >= MIN_ACTIVE) windows.push({ index: firstFrame / STEP, firstFrame, endFrame, active });
  }
  return windows;
}

/**
 * Computes the features that separate speech from other sounds, independent of recording level and
 * window length. `voice` has the probabilities of a voice model for the whole recording.
 */
export function featuresOf(frames: SoundFrames, window: SoundWindow, voice: Float32Array): number[] {
  frames.describe(window.active);
  return [
    ...cepstralFeatures(frames, window),
    ...levelFeatures(frames, window),
    ...pitchFeatures(frames, window),
    ...partialFeatures(frames, window),
    ...spectrumFeatures(frames, window),
    ...voiceFeatures(stepsIn(voice, window)),
  ];
}

/** Limits of humming, which keeps its timbre; speech of all recordings of people changes more. */
const HUMMED_CHANGE = 0.95;
const HUMMED_BRIGHTNESS_OCTAVES = 0.15;
/** Shorter sounds may be a syllable that does not change either. */
const HUMMED_FRAMES = 600 / SOUND_FRAME_MS;

/** Returns true if the sound of a described window is hummed: long, and of one timbre. */
export function isHummed(frames: SoundFrames, { active }: SoundWindow): boolean {
  const brightness = active.map((frame) => frames.centroid[frame]!);
  return (
    active.length >= HUMMED_FRAMES &&
    cepstralChange(frames, active, 3) < HUMMED_CHANGE &&
    deviationOf(brightness) < HUMMED_BRIGHTNESS_OCTAVES
  );
}

function cepstralFeatures(frames: SoundFrames, { active }: SoundWindow): number[] {
  const columns = Array.from({ length: CEPSTRA }, (_, order) =>
    active.map((frame) => frames.cepstra[frame * CEPSTRA + order]!),
  );
  const changes = [1, 3, 6].map((lag) => cepstralChange(frames, active, lag));
  return [...columns.map(meanOf), ...columns.map(deviationOf), ...changes];
}

/** Measures how much the spectrum changes on average within `lag` frames. */
function cepstralChange({ cepstra }: SoundFrames, active: readonly number[], lag: number): number {
  const isActive = new Set(active);
  const changes = active
    .filter((frame) => isActive.has(frame - lag))
    .map((frame) => {
      let sum = 0;
      for (let order = 0; order < CEPSTRA; order += 1) {
        sum += (cepstra[frame * CEPSTRA + order]! - cepstra[(frame - lag) * CEPSTRA + order]!) ** 2;
      }
      return Math.sqrt(sum);
    });
  return meanOf(changes);
}

const MODULATION_HZ = [
  [1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [10, 12, 14],
  [17, 20, 23],
];

/**
 * Measures the modulation of the level: three to eight times a second in speech (T. Houtgast, H.
 * Steeneken, 1985).
 */
function levelFeatures({ levelDb }: SoundFrames, { firstFrame, endFrame, active }: SoundWindow): number[] {
  const all = levelDb.subarray(firstFrame, endFrame);
  const loudest = loudestOf(all);
  const levels = Array.from(all, (level) => Math.min(3, Math.max(-30, level - loudest)));
  const average = meanOf(levels);
  const energies = MODULATION_HZ.map((rates) => {
    let sum = 0;
    for (const rate of rates) {
      let re = 0;
      let im = 0;
      for (const [i, level] of levels.entries()) {
        const angle = (2 * Math.PI * rate * i * SOUND_FRAME_MS) / 1_000;
        const taper = Math.sin((Math.PI * (i + 0.5)) / levels.length);
        re += (level - average) * taper * Math.cos(angle);
        im += (level - average) * taper * Math.sin(angle);
      }
      sum += (re * re + im * im) / levels.length ** 2 / rates.length;
    }
    return Math.log10(sum + 1e-3);
  });
  const steps = levels.slice(1).map((level, i) => level - levels[i]!);
  const activeLevels = active.map((frame) => Math.min(3, levelDb[frame]! - loudest));
  return [
    ...energies,
    meanOf(steps.map(Math.abs)),
    quantile(steps, 0.97, 0),
    quantile(steps, 0.03, 0),
    deviationOf(activeLevels),
    meanOf(activeLevels),
    active.length / levels.length,
  ];
}

/** Measures the movement of the pitch: voices glide, instruments hold and jump. */
function pitchFeatures({ periodicity, pitchHz }: SoundFrames, { active }: SoundWindow): number[] {
  const strengths = active.map((frame) => periodicity[frame]!);
  const voiced = active.filter((frame) => periodicity[frame]! >= VOICED);
  const heights = voiced.map((frame) => 12 * Math.log2(pitchHz[frame]! / 150));
  const steps: number[] = [];
  const bends: number[] = [];
  const toSemitones = (frame: number) => 12 * Math.log2(pitchHz[frame]!);
  const isVoiced = new Set(voiced);
  for (const frame of voiced) {
    if (!isVoiced.has(frame - 1)) continue;
    const step = toSemitones(frame) - toSemitones(frame - 1);
    steps.push(Math.abs(step));
    if (isVoiced.has(frame - 2)) bends.push(Math.abs(step - toSemitones(frame - 1) + toSemitones(frame - 2)));
  }
  return [
    meanOf(strengths),
    deviationOf(strengths),
    share(strengths, 0.8, 2),
    share(strengths, 0.95, 2),
    voiced.length / Math.max(1, active.length),
    meanOf(heights),
    deviationOf(heights),
    share(steps, 0, 0.06),
    share(steps, 0.06, 0.2),
    share(steps, 0.2, 1),
    share(steps, 1, 99),
    share(bends, 0, 0.1),
  ];
}

/** Measures the stability of the partials: those of a voice move together with its pitch. */
function partialFeatures({ peakHz, peakShare }: SoundFrames, { active }: SoundWindow): number[] {
  const isActive = new Set(active);
  const stillShares: number[] = [];
  const keptShares: number[] = [];
  const shares: number[] = [];
  for (const frame of active) {
    let share = 0;
    let stillShare = 0;
    let keptShare = 0;
    for (let place = 0; place < PEAKS; place += 1) {
      const hz = peakHz[frame * PEAKS + place]!;
      if (hz === 0) continue;
      share += peakShare[frame * PEAKS + place]!;
      const nearest = (other: number) => {
        let best = 1;
        for (let p = 0; p < PEAKS; p += 1) best = Math.min(best, Math.abs(peakHz[other * PEAKS + p]! / hz - 1));
        return best;
      };
      if (isActive.has(frame - 1) && isActive.has(frame - 2)) {
        const drift = Math.max(nearest(frame - 1), nearest(frame - 2));
        if (drift < 0.004) stillShare += peakShare[frame * PEAKS + place]!;
        if (drift < 0.02) keptShare += peakShare[frame * PEAKS + place]!;
      }
    }
    shares.push(Math.min(1.5, share));
    stillShares.push(Math.min(1.5, stillShare));
    keptShares.push(Math.min(1.5, keptShare));
  }
  return [meanOf(shares), deviationOf(shares), meanOf(stillShares), deviationOf(stillShares), meanOf(keptShares)];
}

/** Measures the spectral brightness: fricatives are bright, vowels are not. */
function spectrumFeatures({ flatness, centroid, periodicity }: SoundFrames, { active }: SoundWindow): number[] {
  const flat = active.map((frame) => flatness[frame]!);
  const bright = active.map((frame) => centroid[frame]!);
  const strengths = active.map((frame) => periodicity[frame]!);
  const [flatMean, brightMean, strengthMean] = [meanOf(flat), meanOf(bright), meanOf(strengths)];
  const together = meanOf(active.map((_, i) => (bright[i]! - brightMean) * (strengths[i]! - strengthMean)));
  return [flatMean, deviationOf(flat), brightMean, deviationOf(bright), together];
}

const logit = (value = 0): number => Math.log((value + 1e-3) / (1 - value + 1e-3));

/** Summarizes how much of a window the voice model takes for speech, and how surely. */
function voiceFeatures(voice: Float32Array): number[] {
  const sorted = voice.toSorted().toReversed();
  const total = sum(sorted);
  return [
    Math.log(total + 0.05),
    Math.log(total / Math.max(1, sorted.length) + 0.003),
    logit(sorted[0]),
    logit(sorted[2]),
    logit(sorted[sorted.length >> 2]),
    Math.log(0.5 + sorted.filter((value) => value >= 0.5).length),
  ];
}

/** Returns the share of values between `low` and `high`, lower for few values. */
function share(values: readonly number[], low: number, high: number): number {
  return values.filter((value) => value >= low && value < high).length / Math.max(4, values.length);
}

const meanOf = (values: readonly number[]): number => mean(values, 0);
const deviationOf = (values: readonly number[]): number => standardDeviation(values, 0);
