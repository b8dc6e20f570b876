import type { FileRecognitionEvent } from '#features/transcription/stages.ts';
import { defineStreamTask } from '#workers/define-task.ts';
import type { RecognizeInput } from '#workers/recognize-recording.ts';

/** Slower than this against the longest allowed recording counts as a hang. */
const MIN_TIMEOUT_MS = 10 * 60_000;

/** Decodes and recognizes one file with the given models. Throws AppError. */
export const recognize = defineStreamTask({
  name: 'recognize',
  pool: 'batch',
  timeoutMs: ({ limits }) => Math.max(MIN_TIMEOUT_MS, limits.maxDurationMs),
  async *run(input: RecognizeInput, context, signal): AsyncGenerator<FileRecognitionEvent> {
    const { recognizeRecording } = await import('#workers/recognize-recording.ts');
    yield* recognizeRecording(input, context, signal);
  },
  /** An empty recording: it loads the models of Cantonese, the most requested language. */
  async warmUp({ engines, defaultModels }, signal) {
    await import('#workers/recognize-recording.ts');
    const language = 'cantonese';
    const registry = await engines.registry();
    const model = registry.select('recognizer', { language, model: defaultModels.recognizer });
    const recognizer = await engines.open(model);
    const options = { language, context: null, romanize: false } as const;
    for await (const event of recognizer.recognize(noSound(), options, signal)) void event;
  },
});

async function* noSound(): AsyncGenerator<never> {}
