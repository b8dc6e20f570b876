import { createCircuitBreaker } from '@jyutsing/concurrency/circuit-breaker';
import type { ModelRef } from '@jyutsing/contracts/abilities';
import { fuse, type ChunkReport } from '#features/transcription/fusion/fuse.ts';
import { createTermCache } from '#features/transcription/fusion/term-cache.ts';
import type { FusionCall, FusionCallEvent } from '#features/transcription/stages.ts';
import type { TaskContext } from './define-task.ts';
import type { EngineCache } from './engine-cache.ts';

/** One for the process: later calls use the same outside servers. */
const breaker = createCircuitBreaker();

/** The corpora of the last calls stay in this process, so callers need not send them again. */
const termsFor = createTermCache();

/** Opens the correctors, and imports what the check of corrections needs. */
export async function openCorrectors(refs: readonly ModelRef<'corrector'>[], engines: EngineCache): Promise<void> {
  await Promise.all([
    import('#features/transcription/fusion/check-correction.ts'),
    ...refs.map((ref) => engines.open(ref)),
  ]);
}

/** Corrects segments; see `fuse`. */
export async function* fuseTranscript(
  call: FusionCall,
  { engines, fusionChunkBudgetMs: chunkBudgetMs }: TaskContext,
  signal: AbortSignal,
): AsyncGenerator<FusionCallEvent> {
  const { segments, context } = call;
  const terms = termsFor(call);
  if (terms === null) {
    yield { type: 'corpora-missing' };
    return;
  }
  const correctors = call.correctors.map((ref) => ({ name: ref.engine, open: () => engines.open(ref) }));
  // This process has no log: failures of correctors are sent to the server as events.
  const unsent: ChunkReport[] = [];
  const observer = { chunk: (report: ChunkReport) => void unsent.push(report) };
  for await (const event of fuse(
    { segments, terms, context },
    correctors,
    { chunkBudgetMs },
    signal,
    observer,
    breaker,
  )) {
    for (const { failures } of unsent.splice(0)) {
      for (const { corrector, error } of failures) {
        yield { type: 'corrector-failed', corrector, code: error.code, message: error.message };
      }
    }
    yield event;
  }
}
