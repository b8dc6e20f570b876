import { createCircuitBreaker } from '#features/transcription/fusion/circuit-breaker.ts';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import { fuse, type ChunkReport, type Fuse } from '#features/transcription/fusion/fuse.ts';
import { createTermCache } from '#features/transcription/fusion/term-cache.ts';
import type { TaskContext } from './define-task.ts';

/** One for the process: later transcriptions use the same outside servers. */
const breaker = createCircuitBreaker();

/** The corpora of the last calls stay in this process, so callers need not send them again. */
const termsFor = createTermCache();

/** The correctors, best first, and the free-form hint of a request. */
type FusionCall = { models: Pick<TranscriptionModels, 'correctors'>; options: { context: string | null } };

/** Corpora by their key; the entries are loaded where this process does not know them. */
type KeyedCorpora = { corporaKey: string; loadEntries(): Promise<readonly CorpusEntry[]> };

/** The fusion of one transcription, with the correctors of its plan and its terms. */
export async function createFuse(
  { models, options: { context } }: FusionCall,
  { corporaKey, loadEntries }: KeyedCorpora,
  { engines, fusionChunkBudgetMs: chunkBudgetMs }: TaskContext,
): Promise<Fuse> {
  const terms = await termsFor(corporaKey, loadEntries, context);
  const correctors = models.correctors.map((ref) => ({ name: ref.engine, open: () => engines.open(ref) }));
  return async function* correct(segments, signal) {
    // This process has no log: failures of correctors are sent to the server as events.
    const unsent: ChunkReport[] = [];
    const observer = { chunk: (report: ChunkReport) => void unsent.push(report) };
    const input = { segments, terms, context };
    for await (const event of fuse(input, correctors, { chunkBudgetMs, observer, breaker }, signal)) {
      for (const { failures } of unsent.splice(0)) {
        for (const { corrector, error } of failures) {
          yield { type: 'correction-failed', corrector, code: error.code, message: error.message };
        }
      }
      yield event;
    }
  };
}
