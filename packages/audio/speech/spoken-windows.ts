import { sum } from '@jyutsing/numeric/statistics';
import { createSoundFrames, SOUND_FRAME_MS, type SoundFrames } from './sound-frames.ts';
import { logOddsOf } from './speech-network.ts';
import { stepsIn, type VoiceModel } from './voice-model.ts';
import { featuresOf, isHummed, windowsOf, type SoundWindow } from './window-features.ts';

/**
 * The duration of the sound in a window, the natural logarithm of the odds that it contains speech,
 * and whether it is hummed as far as it is in doubt.
 */
export type Judgement = { index: number; activeMs: number; logOdds: number; isHummed?: boolean };

/**
 * Log odds at which one window is speech, and those which two neighbors must reach. Very short
 * sounds need less, because even a clear syllable is uncertain; so does the only window of a
 * recording, which has no neighbors.
 */
type SpeechThresholds = { sure: number; likely: number; short: number; acceptsHumming: boolean };

/** For transcription: noise and music must not become text. */
export const STRICT: SpeechThresholds = { sure: 3, likely: 1, short: -1, acceptsHumming: false };
/** For a recording that somebody made to be scored: hardly any may be refused. */
export const LENIENT: SpeechThresholds = { sure: 2.5, likely: 0, short: -2, acceptsHumming: true };

const ONLY_WINDOW = -3;
const SHORT_MS = 160;
const LONG_MS = 600;

/** Returns true if a piece of sound, mono at 16 kHz, contains speech. */
export async function containsSpeech(samples: Float32Array, voiceOf: VoiceModel): Promise<boolean> {
  const windows = judgeWindows(createSoundFrames(samples), await voiceOf(samples));
  return spokenWindows(windows, STRICT).length > 0;
}

/**
 * Sums of the probabilities of a window with which the voice model decides alone: no noise or music
 * of the training reached the higher one, no speech without noise stayed below the lower one.
 */
const VOICE_ALONE = 28;
const NO_VOICE = 0.7;
const VOICE_ALONE_LOG_ODDS = 6;

/** Judges all windows of a recording; `voice` has the probabilities of a voice model for it. */
export function judgeWindows(frames: SoundFrames, voice: Float32Array): (SoundWindow & Judgement)[] {
  const hummedWindows = new Set<number>();
  const windows = windowsOf(frames).map((window) => {
    const activeMs = window.active.length * SOUND_FRAME_MS;
    const byVoice = oddsByVoice(stepsIn(voice, window));
    if (byVoice !== null) return { ...window, activeMs, logOdds: byVoice, isDoubtful: false };
    const logOdds = logOddsOf(featuresOf(frames, window, voice));
    if (isHummed(frames, window)) hummedWindows.add(window.index);
    return { ...window, activeMs, logOdds, isDoubtful: true };
  });
  // A window shares most of its sound with its neighbors.
  const isNearHumming = ({ index }: SoundWindow) => [index - 1, index, index + 1].some((at) => hummedWindows.has(at));
  return windows.map(({ isDoubtful, ...window }) => ({ ...window, isHummed: isDoubtful && isNearHumming(window) }));
}

/**
 * Returns the windows with speech, in order. This is the one place that tells speech from noise and
 * music, in recordings, live and before scoring.
 */
export function spokenWindows<Window extends Judgement>(
  windows: readonly Window[],
  thresholds: SpeechThresholds,
): Window[] {
  const margin = windows.length === 1 ? ONLY_WINDOW : 0;
  const { short, likely, acceptsHumming } = thresholds;
  const likelyWindows = windows.filter((window) => {
    const { activeMs, logOdds } = window;
    if (window.isHummed && !acceptsHumming) return false;
    const share = Math.min(1, Math.max(0, (activeMs - SHORT_MS) / (LONG_MS - SHORT_MS)));
    return logOdds >= short + share * (likely - short) + margin;
  });
  return inRows(likelyWindows)
    .filter((row) => windows.length === 1 || row.length > 1 || row.some(({ logOdds }) => logOdds >= thresholds.sure))
    .flat();
}

/** Returns log odds where the probabilities alone decide; null where they do not. */
function oddsByVoice(voice: Float32Array): number | null {
  const total = sum(voice);
  return total >= VOICE_ALONE ? VOICE_ALONE_LOG_ODDS : total < NO_VOICE ? -VOICE_ALONE_LOG_ODDS : null;
}

/** Groups windows that follow one another. */
function inRows<Window extends Judgement>(windows: readonly Window[]): Window[][] {
  const rows: Window[][] = [];
  for (const window of windows) {
    const row = rows.at(-1);
    if (row !== undefined && row.at(-1)!.index + 1 === window.index) row.push(window);
    else rows.push([window]);
  }
  return rows;
}
