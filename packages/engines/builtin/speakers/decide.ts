import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { followSpeakers } from '@jyutsing/audio/speaker-clustering/viterbi-smoothing';
import { findSpeakers } from '@jyutsing/audio/speaker-clustering/speakers';
import type { VoiceStatistics } from '@jyutsing/audio/speaker-clustering/vbx';
import { makeTurns } from '@jyutsing/audio/speaker-clustering/speaker-turns';
import type { Heard } from './listen.ts';
import type { DiarizationRules } from './rules.ts';

/** From what was heard in a recording to the turns of its speakers. */
export function decide(
  { track, windows }: Heard,
  durationMs: number,
  statistics: VoiceStatistics,
  { speakers, follow, turns }: Omit<DiarizationRules, 'listening'>,
): SpeakerTurn[] {
  const voices = findSpeakers(windows, statistics, speakers);
  return makeTurns(followSpeakers(track, windows, voices, follow), track, durationMs, turns);
}
