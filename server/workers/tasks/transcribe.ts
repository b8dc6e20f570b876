import type { TranscriptionCall, TranscriptionEvent } from '#features/transcription/stages.ts';
import { defineStreamTask } from '#workers/define-task.ts';

/** Slower than this against the longest allowed recording counts as a hang. */
const MIN_TIMEOUT_MS = 10 * 60_000;

/**
 * Transcribes one recording; see `transcribe`. Ends with `corpora-missing` alone when the call has
 * no entries and the process does not know its corpora.
 */
export const transcribe = defineStreamTask({
  name: 'transcribe',
  pool: 'batch',
  timeoutMs: ({ limits }) => Math.max(MIN_TIMEOUT_MS, limits.maxDurationMs),
  /** Correction has a time limit for each chunk; a process that exceeds even that one hangs. */
  silenceTimeoutMs: ({ silenceTimeoutMs, fusionChunkBudgetMs }) => silenceTimeoutMs + fusionChunkBudgetMs,
  async *run(call: TranscriptionCall, context, signal): AsyncGenerator<TranscriptionEvent> {
    const { createFuse } = await import('#workers/create-fuse.ts');
    const fuse = call.bias === null ? null : createFuse(call, call.bias, context);
    if (fuse === 'corpora-missing') {
      yield { type: 'corpora-missing' };
      return;
    }
    const { transcribe: run } = await import('#features/transcription/transcribe.ts');
    const { engines, limits } = context;
    yield* run(call, { open: engines.open, maxDurationMs: limits.maxDurationMs, fuse }, signal);
  },
  /** An empty recording: it loads the models of Cantonese, the most requested language. */
  async warmUp({ engines, defaultModels }, signal) {
    await import('#features/transcription/transcribe.ts');
    const language = 'cantonese';
    const registry = await engines.registry();
    const model = registry.select('recognizer', { language, model: defaultModels.recognizer });
    const recognizer = await engines.open(model);
    const options = { language, context: null, romanize: false } as const;
    for await (const event of recognizer.recognize(noSound(), options, signal)) void event;
  },
});

async function* noSound(): AsyncGenerator<never> {}
