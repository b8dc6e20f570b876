import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import type { Fuse, FusionCall, FusionCallEvent } from '#features/transcription/stages.ts';

type RunFusion = (call: FusionCall, signal: AbortSignal) => AsyncIterable<FusionCallEvent>;
type FusionSettings = Omit<FusionCall, 'segments' | 'entries'> & { entries: readonly CorpusEntry[] };

/**
 * Fusion of one transcription in worker processes. A call carries only the key of the corpora;
 * their entries (thousands) follow only if the process does not have them, so once per process at
 * most.
 */
export function createFuse(run: RunFusion, { entries, ...settings }: FusionSettings): Fuse {
  return async function* fuse(segments, signal) {
    for await (const event of run({ ...settings, segments, entries: null }, signal)) {
      if (event.type !== 'corpora-missing') yield event;
      else yield* withoutMissing(run({ ...settings, segments, entries }, signal));
    }
  };
}

async function* withoutMissing(events: AsyncIterable<FusionCallEvent>) {
  for await (const event of events) if (event.type !== 'corpora-missing') yield event;
}
