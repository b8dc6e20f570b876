import type { TimedSyllable } from './timing.ts';
import type { SyllableAim } from './phrase-f0-contour.ts';
import { contourAt } from './tone-contours.ts';

export type F0Contour = {
  /** Starts a phrase at its first target, independent of earlier ones. */
  reset(): void;
  add(syllable: TimedSyllable, aim: SyllableAim): void;
  /**
   * Returns semitones above the middle of the register at a time; times must not decrease by more
   * than one step.
   */
  at(timeMs: number): number;
};

/**
 * Rate at which pitch approaches the targets of its syllables, as a critically damped third-order
 * system, whose position, speed and acceleration carry over between syllables (S. Prom-on, Y. Xu,
 * B. Thipakorn, "Modeling tone and intonation in Mandarin and English as a process of target
 * approximation", JASA 125, 2009). Three low-pass filters in series are such a system.
 */
const RATE_PER_S = 68;
/** Targets are set early to compensate for part of the delay of 3 / rate. */
const LEAD_MS = 30;
const STEP_MS = 2.5;
/**
 * Share of a voiceless onset after which Mandarin targets begin: when they included the whole
 * onset, a rise was half over when the voice began, and was heard as a high tone (水果, 洗澡, 可以).
 */
const VOICELESS_SHARE = 0.85;
/**
 * Semitones by which the pitch starts higher after a voiceless consonant (J.-M. Hombert, "Consonant
 * types, vowel quality, and tone", 1978).
 */
const PERTURBATION = 0.7;
const PERTURBATION_MS = 25;
/** Semitones of the slow unsteadiness of the larynx: D. Klatt and L. Klatt, JASA 87, 1990. */
const FLUTTER = 0.05;
const FLUTTER_HZ = [12.7, 7.1, 4.7];

type Target = { startMs: number; endMs: number; aim: SyllableAim; voicedAgainMs: number | null };

/** Creates a contour; `speed` above 1 lets the pitch move faster, as in fast speech. */
export function createF0Contour(speed: number): F0Contour {
  let targets: Target[] = [];
  let state: [number, number, number] | null = null;
  let reachedMs = 0;
  let current = 0;
  const rate = RATE_PER_S * Math.max(0.8, speed ** 0.7);
  const leadMs = LEAD_MS / Math.max(0.8, speed ** 0.7);
  const keep = Math.exp((-rate * STEP_MS) / 1_000);

  const targetAt = (timeMs: number): number => {
    while (current < targets.length - 1 && targets[current]!.endMs <= timeMs) current += 1;
    const target = targets[current];
    if (target === undefined) return 0;
    const share = (timeMs - target.startMs) / Math.max(1, target.endMs - target.startMs);
    return contourAt(target.aim.contour, Math.min(1, Math.max(0, share))) * target.aim.scale + target.aim.shift;
  };

  const perturbationAt = (timeMs: number): number => {
    for (const { voicedAgainMs } of targets.slice(Math.max(0, current - 1), current + 1)) {
      if (voicedAgainMs === null || timeMs < voicedAgainMs || timeMs > voicedAgainMs + 5 * PERTURBATION_MS) continue;
      return PERTURBATION * Math.exp(-(timeMs - voicedAgainMs) / PERTURBATION_MS);
    }
    return 0;
  };

  return {
    reset() {
      state = null;
      targets = [];
      current = 0;
    },
    add(syllable, aim) {
      const { parts, startMs, endMs } = syllable;
      // A glide may stand between the voiceless consonant and the vowel (xiao, shui).
      const voiced = parts.findIndex(({ isVoiceless }) => !isVoiceless);
      const voicedAgainMs = voiced > 0 ? parts[voiced]!.fromMs : null;
      const waitsMs = voicedAgainMs !== null && syllable.voice === 'cmn' ? voicedAgainMs - startMs : 0;
      targets.push({ startMs: startMs + VOICELESS_SHARE * waitsMs, endMs, aim, voicedAgainMs });
    },
    at(timeMs) {
      if (state === null) {
        const start = targetAt(timeMs + leadMs);
        state = [start, start, start];
        reachedMs = timeMs;
      }
      for (; reachedMs < timeMs; reachedMs += STEP_MS) {
        let towards = targetAt(reachedMs + leadMs);
        for (let at = 0; at < 3; at += 1) towards = state[at] = towards + (state[at as 0]! - towards) * keep;
      }
      const flutter = FLUTTER_HZ.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * timeMs) / 1_000), 0);
      return state[2] + perturbationAt(timeMs) + FLUTTER * flutter;
    },
  };
}
