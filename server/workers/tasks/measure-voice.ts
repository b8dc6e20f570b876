import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { defineTask } from '#workers/define-task.ts';

/**
 * Checks whether a recording can be the sample of a voice, and measures the voice. Throws
 * `unsuitable_sample` and what `probe` throws.
 */
export const measureVoice = defineTask({
  name: 'measure-voice',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ path }: { path: string }, _context, signal): Promise<MeasuredSample> {
    const { measureVoiceSample } = await import('@jyutsing/audio/voice/measure-voice-sample');
    return measureVoiceSample(path, signal);
  },
});
