import type { SpeakerTurn } from '#contracts/diarizer.ts';
import { followSpeakers } from '#audio/speakers/follow.ts';
import { findSpeakers } from '#audio/speakers/speakers.ts';
import type { VoiceStatistics } from '#audio/speakers/vbx.ts';
import { makeTurns } from '#audio/speakers/turns.ts';
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
