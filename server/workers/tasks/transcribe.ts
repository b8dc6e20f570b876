import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import type { TranscriptionCall } from '#features/transcription/recognition.ts';
import { defineStreamTask } from '#workers/define-task.ts';

/** `corporaKey`: see `CorpusBias`; null: no correction. */
type Input = TranscriptionCall & { corporaKey: string | null };

/** Slower than this against the longest allowed recording counts as a hang. */
const MIN_TIMEOUT_MS = 10 * 60_000;

/**
 * Transcribes one recording; see `transcribeRecording`. Demands the entries of its corpora, which
 * are thousands, only when this process does not know them.
 */
export const transcriptionTask = defineStreamTask({
  name: 'transcribe',
  pool: 'batch',
  timeoutMs: ({ limits }) => Math.max(MIN_TIMEOUT_MS, limits.maxDurationMs),
  /** Correction has a time limit for each chunk; a process that exceeds even that one hangs. */
  silenceTimeoutMs: ({ silenceTimeoutMs, fusionChunkBudgetMs }) => silenceTimeoutMs + fusionChunkBudgetMs,
  async *run(
    { corporaKey, ...call }: Input,
    context,
    signal,
    demand: () => Promise<readonly CorpusEntry[]>,
  ): AsyncGenerator<TranscriptionEvent> {
    const { createFuse } = await import('#workers/create-fuse.ts');
    const fuse = corporaKey === null ? null : await createFuse(call, { corporaKey, loadEntries: demand }, context);
    const { transcribeRecording } = await import('#features/transcription/transcribe-recording.ts');
    const { transcribeChannels } = await import('#features/transcription/transcribe-channels.ts');
    const { engines, limits } = context;
    // A recognizer that is asked about one segment must not close the one that hears the recording.
    using hold = engines.hold();
    const transcribe = (part: TranscriptionCall, maxDurationMs: number) =>
      transcribeRecording(part, { open: hold.open, maxDurationMs, fuse }, signal);
    const { maxDurationMs } = limits;
    yield* call.options.channels === undefined
      ? transcribe(call, maxDurationMs)
      : transcribeChannels(call, maxDurationMs, transcribe);
  },
  /** An empty recording: it loads the models of Cantonese, the most requested language. */
  async warmUp({ engines, defaultModels }, signal) {
    await import('#features/transcription/transcribe-recording.ts');
    const language = 'cantonese';
    const registry = await engines.registry();
    const model = registry.select('recognizer', { language, model: defaultModels.recognizer });
    const recognizer = await engines.open(model);
    const options = { language, context: null, romanize: false } as const;
    for await (const event of recognizer.recognize(noSound(), options, signal)) void event;
  },
});

async function* noSound(): AsyncGenerator<never> {}
