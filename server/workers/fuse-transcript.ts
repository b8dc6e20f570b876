import { createCircuitBreaker } from '@jyutsing/concurrency/circuit-breaker';
import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import { termsFromContext, termsOf } from '@jyutsing/text/corpora/terms';
import { fuse, type ChunkReport } from '#features/transcription/fusion/fuse.ts';
import type { FusionEvent } from '#features/transcription/stages.ts';
import type { TaskContext } from './define-task.ts';
import type { EngineCache } from './engine-cache.ts';

export type FuseInput = {
  /** Best first. */
  correctors: readonly ModelRef<'corrector'>[];
  segments: readonly CorrectionSegment[];
  /** Entries of all corpora of the request; the key identifies the corpora and their versions. */
  entries: readonly CorpusEntry[];
  entriesKey: string;
  context: string | null;
};

/** One for the process: later calls use the same outside servers. */
const breaker = createCircuitBreaker();

/**
 * The terms of the last call. The next one mostly has the same, and correctors cache what they prepare by the identity of
 * the list.
 */
let lastTerms: { key: string; terms: readonly Term[] } = { key: '', terms: [] };

function termsIn({ entries, entriesKey, context }: FuseInput): readonly Term[] {
  const key = JSON.stringify([entriesKey, context]);
  if (lastTerms.key !== key) {
    lastTerms = { key, terms: [...termsOf(entries), ...(context === null ? [] : termsFromContext(context))] };
  }
  return lastTerms.terms;
}

/** Opens the correctors, and imports what the check of corrections needs. */
export async function openCorrectors(refs: readonly ModelRef<'corrector'>[], engines: EngineCache): Promise<void> {
  await Promise.all([
    import('#features/transcription/fusion/check-correction.ts'),
    ...refs.map((ref) => engines.open(ref)),
  ]);
}

/** Corrects segments; see `fuse`. */
export async function* fuseTranscript(
  input: FuseInput,
  { engines, fusionChunkBudgetMs: chunkBudgetMs }: TaskContext,
  signal: AbortSignal,
): AsyncGenerator<FusionEvent> {
  const { segments, context } = input;
  const correctors = input.correctors.map((ref) => ({ name: ref.engine, open: () => engines.open(ref) }));
  const terms = termsIn(input);
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
