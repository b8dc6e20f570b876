import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import { fuse, type ChunkReport, type CorrectorChoice } from '#features/transcription/fusion/fuse.ts';
import { createCircuitBreaker } from '@jyutsing/concurrency/circuit-breaker';
import type { FusionEvent } from '#features/transcription/stages.ts';
import { termsFromContext, termsOf } from '@jyutsing/text/corpora/terms';
import { openModel, type EngineLocation } from '#workers/opened-engines.ts';

/** The correctors of a request, best first. */
export type CorrectorModels = EngineLocation & { correctors: readonly ModelRef<'corrector'>[] };

export type FuseCall = CorrectorModels & {
  segments: readonly CorrectionSegment[];
  /** Of all corpora of the request; the key names them and their versions. */
  entries: readonly CorpusEntry[];
  entriesKey: string;
  context: string | null;
  chunkBudgetMs: number;
};

/** Of this process: a recording comes in several calls, and its successors ask the same servers. */
const rests = createCircuitBreaker();

/**
 * Of the last call: the next one is mostly of the same recording, or with the same public corpora. The very same list, because what is
 * prepared from it is kept by its identity.
 */
let known: { key: string; terms: readonly Term[] } = { key: '', terms: [] };

function termsIn({ entries, entriesKey, context }: FuseCall): readonly Term[] {
  const key = JSON.stringify([entriesKey, context]);
  if (known.key !== key) {
    known = { key, terms: [...termsOf(entries), ...(context === null ? [] : termsFromContext(context))] };
  }
  return known.terms;
}

/** Opens what a first correction would otherwise wait for. */
export async function openCorrectors(models: CorrectorModels): Promise<void> {
  const correctors = correctorsOf(models);
  // Also what the check imports when it is first needed.
  await Promise.all([
    import('#features/transcription/fusion/check-correction.ts'),
    ...correctors.map(({ open }) => open()),
  ]);
}

/** Corrects a transcript with its correctors, the best first; see `fuse`. */
export async function* fuseTranscript(call: FuseCall, signal: AbortSignal): AsyncGenerator<FusionEvent> {
  const { segments, context, chunkBudgetMs } = call;
  const correctors = correctorsOf(call);
  const terms = termsIn(call);
  // Operators must hear of a server that is gone; this process keeps no log.
  const untold: ChunkReport[] = [];
  const observer = { chunk: (report: ChunkReport) => void untold.push(report) };
  const input = { segments, terms, context };
  for await (const event of fuse(input, correctors, { chunkBudgetMs }, signal, observer, rests)) {
    for (const { failures } of untold.splice(0)) {
      for (const { corrector, error } of failures) {
        yield { type: 'corrector-failed', corrector, code: error.code, message: error.message };
      }
    }
    yield event;
  }
}

function correctorsOf({ correctors, ...place }: CorrectorModels): CorrectorChoice[] {
  return correctors.map((ref) => ({ name: ref.engine, open: () => openModel(place, ref) }));
}
