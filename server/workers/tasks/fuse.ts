import type { FusionCall, FusionCallEvent } from '#features/transcription/stages.ts';
import { defineStreamTask } from '#workers/define-task.ts';
import { recognize } from './recognize.ts';

/** Corrects segments of a transcript with the given correctors, the best first; see `Fuse`. */
export const fuse = defineStreamTask({
  name: 'fuse',
  pool: 'batch',
  timeoutMs: recognize.timeoutMs,
  /** Each chunk has its own time limit; a process that does not keep even that one hangs. */
  silenceTimeoutMs: ({ silenceTimeoutMs, fusionChunkBudgetMs }) => silenceTimeoutMs + fusionChunkBudgetMs,
  async *run(call: FusionCall, context, signal): AsyncGenerator<FusionCallEvent> {
    const { fuseTranscript } = await import('#workers/fuse-transcript.ts');
    yield* fuseTranscript(call, context, signal);
  },
  async warmUp({ engines }) {
    const { openCorrectors } = await import('#workers/fuse-transcript.ts');
    const registry = await engines.registry();
    await openCorrectors(registry.selectAll('corrector'), engines);
  },
});
