import type { SpeakerRange, SpeakerTurn } from '@jyutsing/contracts/diarizer';
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
  { speakers, smoothing, turns }: Omit<DiarizationOptions, 'analysis'>,
  range?: SpeakerRange,
): SpeakerTurn[] {
  const voices = findSpeakers(windows, statistics, speakers, range);
  return makeTurns(smoothSpeakers(track, windows, voices, smoothing), track, durationMs, turns, range?.max);
}
