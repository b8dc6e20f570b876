import type { CorpusEntry } from '#contracts/corpus.ts';
import type { CorrectionSegment } from '#contracts/corrector.ts';
import { fuse, type ChunkReport } from '#features/transcription/fusion/fuse.ts';
import type { FusionEvent } from '#features/transcription/transcribe.ts';
import { termsFromContext, termsOf } from '#language/corpora/terms.ts';
import { findRegistry, openEngine, type EnginePlace } from './opened-engines.ts';

export type FuseCall = EnginePlace & {
  segments: readonly CorrectionSegment[];
  /** Of all corpora of the request. */
  entries: readonly CorpusEntry[];
  context: string | null;
  chunkBudgetMs: number;
};

/** Corrects a transcript with every corrector that is available here, the best first; see `fuse`. */
export async function* fuseTranscript(call: FuseCall, signal: AbortSignal): AsyncGenerator<FusionEvent> {
  const { segments, entries, context, chunkBudgetMs, surroundings } = call;
  const registry = await findRegistry(call);
  const correctors = registry
    .ranked('corrector')
    .filter((engine) => engine.availability(surroundings).available)
    .map((engine) => ({ name: engine.name, open: () => openEngine(engine, surroundings) }));
  const terms = [...termsOf(entries), ...(context === null ? [] : termsFromContext(context))];
  // Operators must hear of a server that is gone; this process keeps no log.
  const untold: ChunkReport[] = [];
  const observer = { chunk: (report: ChunkReport) => void untold.push(report) };
  for await (const event of fuse({ segments, terms, context }, correctors, { chunkBudgetMs }, signal, observer)) {
    for (const { failures } of untold.splice(0)) {
      for (const { corrector, error } of failures) {
        yield { type: 'corrector-failed', corrector, code: error.code, message: error.message };
      }
    }
    yield event;
  }
}
