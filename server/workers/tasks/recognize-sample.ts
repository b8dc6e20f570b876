import type { ModelRef } from '@jyutsing/contracts/abilities';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { defineTask } from '#workers/define-task.ts';

type Sample = { path: string; language: Language; model: ModelRef<'recognizer'> };

/** Stored samples are shorter. */
const MAX_SAMPLE_MS = 31_000;

/** The words of the stored sample of a voice; empty when none are recognized. */
export const recognizeSample = defineTask({
  name: 'recognize-sample',
  pool: 'interactive',
  timeoutMs: 2 * 60_000,
  async run({ path, language, model }: Sample, { engines }, signal): Promise<string> {
    const [{ decodeAudio }, { joinWords }] = await Promise.all([
      import('@jyutsing/audio/decode'),
      import('@jyutsing/text/join-words'),
    ]);
    const recognizer = await engines.open(model);
    const sound = decodeAudio(path, { sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, maxDurationMs: MAX_SAMPLE_MS, signal });
    const texts: string[] = [];
    const options = { language, context: null, romanize: false };
    for await (const event of recognizer.recognize(sound, options, signal)) {
      if (event.type === 'segment-end') texts.push(event.segment.text.trim());
    }
    return joinWords(texts);
  },
});
