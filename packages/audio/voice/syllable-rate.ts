import { FRAME_MS } from '#audio/vocoder/speech-frames.ts';

/** Least dip of the level between two syllables. */
const DIP_DB = 2.5;
/** Distance from the loudest frame, in dB, at which nuclei are breath and noise. */
const QUIET_DB = 28;
/** Length of the smoothing in frames: shorter than a syllable, longer than a period. */
const SMOOTHING_MS = 50;
/** Gaps from this length on are pauses, which do not count as speaking time. */
const PAUSE_MS = 200;

/**
 * Counts syllables per second of speech: peaks of the level in voiced frames with a dip between
 * them (N. de Jong, T. Wempe, "Praat script to detect syllable nuclei", 2009). `levelsDb`: level of
 * the vowel band per frame; `voiced` marks frames with a pitch.
 */
export function syllablesPerSecond(levelsDb: Float32Array, voiced: Float32Array): number {
  const smooth = smoothed(levelsDb);
  const loudest = smooth.reduce((top, level) => Math.max(top, level), -Infinity);
  const threshold = loudest - QUIET_DB;
  let nuclei = 0;
  let low = -Infinity;
  let high = -Infinity;
  let highAt = 0;
  let rising = true;
  const isNucleus = () => high > threshold && (voiced[highAt] ?? 0) > 0;
  for (let i = 0; i < smooth.length; i += 1) {
    const level = Math.max(threshold, smooth[i]!);
    if (rising) {
      if (level >= high) [high, highAt] = [level, i];
      else if (level < high - DIP_DB) {
        if (isNucleus()) nuclei += 1;
        [rising, low] = [false, level];
      }
    } else if (level <= low) low = level;
    else if (level > low + DIP_DB) [rising, high, highAt] = [true, level, i];
  }
  if (rising && isNucleus()) nuclei += 1;
  const spokenMs = spokenFrames(smooth, threshold) * FRAME_MS;
  return spokenMs === 0 ? 0 : (nuclei * 1_000) / spokenMs;
}

function smoothed(levelsDb: Float32Array): Float32Array {
  const half = Math.round(SMOOTHING_MS / FRAME_MS / 2);
  return levelsDb.map((_, i) => {
    let sum = 0;
    let weights = 0;
    for (let j = Math.max(0, i - half); j <= Math.min(levelsDb.length - 1, i + half); j += 1) {
      const weight = half + 1 - Math.abs(j - i);
      sum += weight * levelsDb[j]!;
      weights += weight;
    }
    return sum / weights;
  });
}

/** Returns the frames from the first loud one to the last, without long gaps. */
function spokenFrames(levelsDb: Float32Array, threshold: number): number {
  let spoken = 0;
  let last = -1;
  for (let i = 0; i < levelsDb.length; i += 1) {
    if (levelsDb[i]! <= threshold) continue;
    const gap = i - last;
    spoken += last >= 0 && gap * FRAME_MS < PAUSE_MS ? gap : 1;
    last = i;
  }
  return spoken;
}
