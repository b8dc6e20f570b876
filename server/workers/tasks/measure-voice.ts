import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { defineTask } from '#workers/define-task.ts';
import { measureSample } from '#workers/measure-sample.ts';

/** Checks and measures the sample of a voice; see `measureSample`. */
export const measureVoice = defineTask({
  name: 'measure-voice',
  pool: 'interactive',
  timeoutMs: 60_000,
  run: ({ path }: { path: string }, { engines }, signal): Promise<MeasuredSample> =>
    measureSample(path, engines, signal),
});
