import type { SpeakerTurn, VoicePrint } from '@jyutsing/contracts/diarizer';
import { SPEAKER_FRAME_MS, type VoiceWindow } from '@jyutsing/audio/speaker-clustering/frames';
import type { VoiceStatistics } from '@jyutsing/audio/speaker-clustering/vbx';
import { evidenceOfSameVoice, sumVoice, type VoiceSum } from '@jyutsing/audio/speaker-clustering/voice-sum';

/** Sums up the voice of windows; null without windows. */
export function toVoicePrint(windows: readonly VoiceWindow[]): VoicePrint | null {
  if (windows.length === 0) return null;
  const { observations, sum } = sumVoice(windows);
  return [observations, ...sum].map((value) => Math.round(value * 10_000) / 10_000);
}

/**
 * Finds the speaker of each known voice, null for a voice that does not occur, or whose print is of
 * other models: a job may have waited while the service was updated. Every speaker has one voice at
 * most: the likeliest pairs come first.
 */
export function findKnownVoices(
  knownVoices: readonly VoicePrint[],
  turns: readonly SpeakerTurn[],
  windows: readonly VoiceWindow[],
  statistics: VoiceStatistics,
): (number | null)[] {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].map((speaker) => ({
    speaker,
    voice: sumVoice(windows.filter((window) => isOf(speaker, window, turns))),
  }));
  const pairs = knownVoices
    .flatMap((print, index) =>
      (print.length === statistics.between.length + 1 ? speakers : []).map(({ speaker, voice }) => {
        return { index, speaker, evidence: evidenceOfSameVoice(toVoiceSum(print), voice, statistics) };
      }),
    )
    .filter(({ evidence }) => evidence > 0)
    .toSorted((a, b) => b.evidence - a.evidence);
  const speakerOf: (number | null)[] = knownVoices.map(() => null);
  for (const { index, speaker } of pairs) {
    if (speakerOf[index] === null && !speakerOf.includes(speaker)) speakerOf[index] = speaker;
  }
  return speakerOf;
}

function toVoiceSum([observations = 0, ...sum]: VoicePrint): VoiceSum {
  return { observations, sum };
}

/** Returns true if this speaker, and no other, speaks in the middle of a window. */
function isOf(speaker: number, { fromFrame, toFrame }: VoiceWindow, turns: readonly SpeakerTurn[]): boolean {
  const middleMs = ((fromFrame + toFrame) / 2) * SPEAKER_FRAME_MS;
  const speaking = turns.filter(({ startMs, endMs }) => startMs <= middleMs && middleMs < endMs);
  return speaking.length > 0 && speaking.every((turn) => turn.speaker === speaker);
}
