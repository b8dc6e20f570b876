import type { SpeakerRange, SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { centerVoices, joinAlike } from '@jyutsing/audio/speaker-clustering/center-voices';
import { smoothSpeakers } from '@jyutsing/audio/speaker-clustering/viterbi-smoothing';
import { findSpeakers } from '@jyutsing/audio/speaker-clustering/speakers';
import type { VoiceStatistics } from '@jyutsing/audio/speaker-clustering/vbx';
import { makeTurns } from '@jyutsing/audio/speaker-clustering/speaker-turns';
import type { RecordingAnalysis } from './analyze-recording.ts';
import type { DiarizationOptions } from './options.ts';

/** Derives the speaker turns from the analysis of a recording. */
export function assignSpeakers(
  { track, windows }: RecordingAnalysis,
  durationMs: number,
  statistics: VoiceStatistics,
  { sharedVoice, sameVoiceFrom, speakers, smoothing, turns }: Omit<DiarizationOptions, 'analysis'>,
  range?: SpeakerRange,
): SpeakerTurn[] {
  const centered = centerVoices(windows, sharedVoice);
  const separate = findSpeakers(centered, statistics, speakers, range);
  const voices = joinAlike(windows, centered, separate, { sameFrom: sameVoiceFrom, least: range?.min ?? 1 });
  return makeTurns(smoothSpeakers(track, centered, voices, smoothing), track, durationMs, turns, range?.max);
}
