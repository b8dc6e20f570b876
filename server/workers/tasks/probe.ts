import type { AudioInfo } from '@jyutsing/contracts/audio';
import { defineTask } from '#workers/define-task.ts';

/**
 * Reads what an audio file is. Throws `unsupported_audio_format`, `corrupt_audio`, `empty_audio`,
 * `audio_too_long`. Reads packets at most, which is quick even for hours.
 */
export const probe = defineTask({
  name: 'probe',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ path }: { path: string }, { limits }): Promise<AudioInfo> {
    const { probeAudio } = await import('@jyutsing/audio/probe');
    return probeAudio(path, limits);
  },
});
