import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { SpeechCorrection } from '#features/live/live-context.ts';
import { oneChunk } from '#features/live/one-chunk.ts';
import { defineTask } from '#workers/define-task.ts';

/** The terms of live speech are those of its context. */
const NO_CORPORA = { corporaKey: 'none', loadEntries: async () => [] };

/**
 * Corrected when there is no piece, to load the models: the first correction takes four times as
 * long.
 */
const WARM_UP_PIECE = {
  segment: { text: '你好', startMs: 0, endMs: 500, words: [], speaker: null, confidence: null },
  samples: new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ / 2),
  syllables: ['nei5', 'hou2'].map((reading, at) => ({
    startMs: at * 250,
    endMs: (at + 1) * 250,
    alternatives: [{ reading, probability: 1 }],
  })),
};

/**
 * Corrects the homophones of one piece of live Cantonese, as fusion does in recordings. Without a
 * piece it only loads what the next one needs. Null: the piece stays as it is.
 */
export const correctSpeech = defineTask({
  name: 'correct-speech',
  pool: 'correction',
  timeoutMs: 30_000,
  async run({ models, context: hint, piece }: SpeechCorrection, context, signal): Promise<Segment | null> {
    const { createFuse } = await import('#workers/create-fuse.ts');
    const { engines } = context;
    const [romanizer] = await Promise.all([
      engines.open(models.romanizer),
      import('#features/transcription/fusion/check-correction.ts'),
      ...models.correctors.map((corrector) => engines.open(corrector)),
    ]);
    const fuse = await createFuse({ models, options: { context: hint } }, NO_CORPORA, context);
    const { segment, samples } = piece ?? WARM_UP_PIECE;
    let corrected: Segment | null = null;
    for await (const romanized of romanizer.romanize(oneChunk(samples), [segment], signal)) {
      const syllables = piece === null ? WARM_UP_PIECE.syllables : romanized;
      for await (const event of fuse([{ segment, syllables }], signal)) {
        if (event.type === 'fusion-end') [corrected = null] = event.fusion.segments;
      }
    }
    return piece === null ? null : corrected;
  },
});
