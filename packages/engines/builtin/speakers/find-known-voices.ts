import type { SpeakerTurn, VoicePrint } from '@jyutsing/contracts/diarizer';
import { SPEAKER_FRAME_MS, type VoiceWindow } from '@jyutsing/audio/speaker-clustering/frames';
import type { VoiceStatistics } from '@jyutsing/audio/speaker-clustering/vbx';
import { evidenceOfSameVoice, sumVoice, type VoiceSum } from '@jyutsing/audio/speaker-clustering/voice-sum';

/** Null without windows. */
export function toVoicePrint(windows: readonly VoiceWindow[]): VoicePrint | null {
  if (windows.length === 0) return null;
  const { observations, sum } = sumVoice(windows);
  return [observations, ...sum].map((value) => Math.round(value * 10_000) / 10_000);
}

/**
 * The speaker of each known voice, null for one that is not heard. Every speaker has one voice at
 * most: the likeliest pairs come first.
 */
export function findKnownVoices(
  known: readonly VoicePrint[],
  turns: readonly SpeakerTurn[],
  windows: readonly VoiceWindow[],
  statistics: VoiceStatistics,
): (number | null)[] {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].map((speaker) => ({
    speaker,
    voice: sumVoice(windows.filter((window) => isOf(speaker, window, turns))),
  }));
  const pairs = known
    .flatMap((print, index) =>
      speakers.map(({ speaker, voice }) => {
        return { index, speaker, evidence: evidenceOfSameVoice(toVoiceSum(print), voice, statistics) };
      }),
    )
    .filter(({ evidence }) => evidence > 0)
    .toSorted((a, b) => b.evidence - a.evidence);
  const found: (number | null)[] = known.map(() => null);
  for (const { index, speaker } of pairs) {
    if (found[index] === null && !found.includes(speaker)) found[index] = speaker;
  }
  return found;
}

function toVoiceSum([observations = 0, ...sum]: VoicePrint): VoiceSum {
  return { observations, sum };
}

/** Whether this speaker, and no other, speaks in the middle of a window. */
function isOf(speaker: number, { fromFrame, toFrame }: VoiceWindow, turns: readonly SpeakerTurn[]): boolean {
  const middleMs = ((fromFrame + toFrame) / 2) * SPEAKER_FRAME_MS;
  const heard = turns.filter(({ startMs, endMs }) => startMs <= middleMs && middleMs < endMs);
  return heard.length > 0 && heard.every((turn) => turn.speaker === speaker);
}
