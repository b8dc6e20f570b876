import { createHash } from 'node:crypto';
import type { Corpus } from '@jyutsing/contracts/corpus';
import type { TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';

/**
 * Everything a text depends on. `corpora`: the present corpora for its recognition and correction;
 * ignored where neither uses them.
 */
export type TextSources = {
  /** SHA-256 of the upload, hex. */
  contentSha256: string;
  options: TranscriptionOptions;
  plan: Omit<TranscriptionPlan, 'models'>;
  corpora: readonly Pick<Corpus, 'id' | 'version'>[];
};

/** Incremented when a part changes its meaning, so older texts are not found again. */
const FORMAT = 3;

/**
 * The cache key of a text, SHA-256 in hex: equal keys mean equal texts. Options of presentation
 * (times, blocks) have no part in it. Compared within one account only, see docs/decisions/0007.
 */
export function cacheKeyOf({ contentSha256, options, plan, corpora }: TextSources): string {
  const fused = corpora.map(({ id, version }) => [id, version] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  // A list, not an object: the order is part of the hashed form.
  const parts = [
    FORMAT,
    contentSha256,
    options.language,
    options.model,
    plan.backend,
    plan.version,
    options.withDiarization,
    // Some recognizers use it as a prompt, so it may change uncorrected texts too.
    options.context,
    plan.willFuse || plan.hearsCorpora === true ? fused : null,
    // Appended, so that the keys of other requests stay as they are.
    ...(options.knownSpeakers === undefined ? [] : [options.knownSpeakers]),
    ...(options.speakers === undefined ? [] : [options.speakers]),
    ...(options.diarizationThreshold === undefined ? [] : [options.diarizationThreshold]),
    ...(options.withPunctuation === undefined ? [] : ['no punctuation']),
    ...(options.numerals === undefined ? [] : ['no numerals']),
    ...(options.channels === undefined ? [] : ['separate channels']),
    ...(options.everydaySpelling === undefined ? [] : ['everyday spelling']),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
