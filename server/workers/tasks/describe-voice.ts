import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { VoicePrint } from '@jyutsing/contracts/diarizer';
import { defineTask } from '#workers/define-task.ts';

/** A little more than OpenAI's 10 seconds. */
const MAX_SAMPLE_MS = 15_000;

/**
 * The voice of one person for a diarizer, null for a sample without speech or a diarizer that knows
 * no voices. Throws `unsupported_audio_format`, `corrupt_audio`, `empty_audio`, `audio_too_long`.
 */
export const describeVoice = defineTask({
  name: 'describe-voice',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run(
    { path, diarizer: ref }: { path: string; diarizer: ModelRef<'diarizer'> },
    { engines },
    signal,
  ): Promise<{ voice: VoicePrint | null; isSupported: boolean }> {
    const { decodeAudio } = await import('@jyutsing/audio/decode');
    const diarizer = await engines.open(ref);
    if (diarizer.describeVoice === undefined) return { voice: null, isSupported: false };
    const sound = decodeAudio(path, { sampleRateHz: 16_000, maxDurationMs: MAX_SAMPLE_MS, signal });
    return { voice: await diarizer.describeVoice(sound, signal), isSupported: true };
  },
});
