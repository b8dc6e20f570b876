import { createHash } from 'node:crypto';
import type { Corpus } from '@jyutsing/contracts/corpus';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type { TranscriptionOptions, TranscriptionResult } from '@jyutsing/contracts/transcription';

/** What a text depends on. `corpora`: those that bias its correction, as they are now; without fusion they have no part in it. */
export type TextSources = {
  /** SHA-256 of the upload, hex. */
  contentSha256: string;
  options: TranscriptionOptions;
  plan: Omit<TranscriptionPlan, 'models'>;
  corpora: readonly Pick<Corpus, 'id' | 'version'>[];
};

/** Raised when the meaning of a part changes, so that texts of before are not found again. */
const FORMAT = 1;

/**
 * Names the text of a recording: two requests with the same key have the same text, SHA-256 in hex. How the text is shown (times,
 * blocks) has no part in it. It is compared within one account only, see docs/decisions/0007.
 */
export function cacheKeyOf({ contentSha256, options, plan, corpora }: TextSources): string {
  const fused = corpora.map(({ id, version }) => [id, version] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  // A list and no object: the order of the parts is the form that is hashed.
  const parts = [
    FORMAT,
    contentSha256,
    options.language,
    options.model,
    plan.backend,
    plan.version,
    options.withDiarization,
    // Some recognisers take it for a prompt, so it may change a text that is not corrected as well.
    options.context,
    plan.willFuse ? fused : null,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** A result as another request with the same cache key gets it: nothing was done for it, so it took no time. */
export function asCached(result: TranscriptionResult): TranscriptionResult {
  return { ...result, isCached: true, transcriptionSeconds: 0, fusionSeconds: 0 };
}
