import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import type { EngineCache } from './engine-cache.ts';

/**
 * Checks whether a recording can be the sample of a voice, and measures the voice. Throws
 * `unsuitable_sample`, also for a second voice, and what `probe` throws.
 */
export async function measureSample(path: string, engines: EngineCache, signal: AbortSignal): Promise<MeasuredSample> {
  const { measureVoiceSample } = await import('@jyutsing/audio/voice/measure-voice-sample');
  const sample = await measureVoiceSample(path, signal);
  await refuseSecondVoice(path, engines, signal);
  return sample;
}

/** Does nothing on a server without a diarizer that can tell. */
async function refuseSecondVoice(path: string, engines: EngineCache, signal: AbortSignal): Promise<void> {
  const { refuseSeveralVoices, decodeForVoices } = await import('@jyutsing/audio/voice/several-voices');
  for (const ref of (await engines.registry()).selectAll('diarizer')) {
    const diarizer = await engines.open(ref);
    if (diarizer.evidenceOfSecondVoice === undefined) continue;
    return refuseSeveralVoices(await diarizer.evidenceOfSecondVoice(decodeForVoices(path, signal), signal));
  }
}
