import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { defineTask, type TaskContext } from '#workers/define-task.ts';

/**
 * Checks whether a recording can be the sample of a voice, and measures the voice. Throws
 * `unsuitable_sample` and what `probe` throws.
 */
export const measureVoice = defineTask({
  name: 'measure-voice',
  pool: 'interactive',
  timeoutMs: 60_000,
  async run({ path }: { path: string }, context, signal): Promise<MeasuredSample> {
    const { measureVoiceSample } = await import('@jyutsing/audio/voice/measure-voice-sample');
    const sample = await measureVoiceSample(path, signal);
    await refuseSecondVoice(path, context, signal);
    return sample;
  },
});

/** Does nothing on a server without a diarizer that can tell. */
async function refuseSecondVoice(path: string, { engines }: TaskContext, signal: AbortSignal): Promise<void> {
  const { refuseSeveralVoices, decodeForVoices } = await import('@jyutsing/audio/voice/several-voices');
  for (const ref of (await engines.registry()).selectAll('diarizer')) {
    const diarizer = await engines.open(ref);
    if (diarizer.evidenceOfSecondVoice === undefined) continue;
    return refuseSeveralVoices(await diarizer.evidenceOfSecondVoice(decodeForVoices(path, signal), signal));
  }
}
