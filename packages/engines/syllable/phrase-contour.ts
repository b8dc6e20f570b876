import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { TimedSyllable } from './durations.ts';
import { isOpen, type Sounds } from './sounds.ts';
import { contourAt, MS } from './unit.ts';

/** Distance of two values of a contour, in samples. */
export const CONTOUR_STEP = 120;
/** Fall of a phrase in semitones: for each syllable, and at most. */
const FALL = 0.22;
const MAX_FALL = 2.2;
/**
 * Factor of the pitch range, because the recordings are read lists, with a narrower range than
 * speech.
 */
const WIDTH = 1.1;
const FINAL_DROP = 0.3;
/** Milliseconds by which the voice lags behind its targets, and by which it looks ahead. */
const LAG_MS = 14;
const AHEAD_FRAMES = 4;
const DEVIATION = 0.22;
/** Rise in semitones at the end of questions without a question particle. */
const QUESTION_RISE = 4;

type Options = { sounds: Sounds; ending: PhraseEnding; range: number; normal: (deviation: number) => number };

/**
 * Computes semitones from the middle every `CONTOUR_STEP` samples: the recorded contours on a
 * falling line, joined by the lag of a voice.
 */
export function planContour(timed: readonly TimedSyllable[], { sounds, ending, range, normal }: Options): Float32Array {
  const count = timed.length;
  const frames = Math.ceil((timed.at(-1)?.to ?? 0) / CONTOUR_STEP) + 40;
  const targets = new Float32Array(frames);
  const fall = Math.min(MAX_FALL, FALL * count);
  for (const [index, syllable] of timed.entries()) {
    const { begin, rime, end, from } = syllable;
    const voiced = isOpen(syllable.sound.parts) ? begin : rime;
    const isLast = index === count - 1;
    const rise = isLast && ending === 'question' && !sounds.questionParticles.has(syllable.label) ? QUESTION_RISE : 0;
    const line =
      fall * (0.45 - index / Math.max(1, count - 1)) - (isLast && rise === 0 ? FINAL_DROP : 0) + normal(DEVIATION);
    let semitones = 0;
    for (let frame = Math.floor(from / CONTOUR_STEP); frame < frames; frame += 1) {
      const time = frame * CONTOUR_STEP;
      if (time <= syllable.to) {
        const share = Math.min(1, Math.max(0, (time - voiced) / Math.max(1, end - voiced)));
        semitones = WIDTH * range * heightAt(syllable, share) + line + rise * share ** 2;
      }
      targets[frame] = semitones;
      if (time > syllable.to && !isLast) break;
    }
  }
  return lagging(targets);
}

function heightAt({ tune, contour }: TimedSyllable, share: number): number {
  if (contour === null) return contourAt(tune, share);
  if ('upTo' in contour) return contourAt(tune, share * contour.upTo);
  return contour.from + (contour.to - contour.from) * share;
}

/** Applies a critically damped lag. */
function lagging(targets: Float32Array): Float32Array {
  const share = 1 - Math.exp(-CONTOUR_STEP / MS / LAG_MS);
  for (let turn = 0; turn < 2; turn += 1) {
    let value = targets[0] ?? 0;
    for (let i = 0; i < targets.length; i += 1) {
      value += share * (targets[i]! - value);
      targets[i] = value;
    }
  }
  const last = targets.length - 1;
  return targets.map((_, i) => targets[Math.min(last, i + AHEAD_FRAMES)]!);
}
