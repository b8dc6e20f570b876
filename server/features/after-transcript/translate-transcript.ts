import { createHash, randomUUID } from 'node:crypto';
import { AppError, serializeError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import type { StoredTranslation, TranslationRepository } from '#store/repositories/translations.ts';
import { shownTranscript } from '#features/transcription/shown-transcript.ts';
import type { LanguageModels } from './language-models.ts';
import type { TranslationLanguage } from './text-choices.ts';

/** One credit for so much of a recording. */
const MS_PER_CREDIT = 30 * 60_000;
/** A process that translates says so in these intervals, however long the model takes. */
const HEARTBEAT_MS = 15_000;
/** An attempt of which nothing was heard for so long belongs to a process that has ended. */
const ABANDONED_AFTER_MS = 4 * HEARTBEAT_MS;

export type TranslationState = 'processing' | 'completed' | 'failed' | 'outdated';

/** The segments that are translated: as people see them. */
export function translatedSegments(record: CompletedTranscription): readonly Segment[] {
  return shownTranscript(record, { text: 'final', version: 'edited' }).segments;
}

/** Names the texts of segments; titles, names of speakers and times may change. */
export function sourceOf(segments: readonly Segment[]): string {
  return createHash('sha256')
    .update(JSON.stringify(segments.map(({ text }) => text)))
    .digest('hex');
}

export function creditsFor({ durationMs }: Pick<CompletedTranscription, 'durationMs'>): number {
  return Math.max(1, Math.ceil(durationMs / MS_PER_CREDIT));
}

/** The state of a stored translation for a transcript with this source. */
export function stateOf(
  { status, sourceSha256, changedAtMs }: StoredTranslation,
  source: string,
  nowMs: number,
): TranslationState {
  if (status === 'processing' && nowMs - changedAtMs > ABANDONED_AFTER_MS) return 'failed';
  return status === 'completed' && sourceSha256 !== source ? 'outdated' : status;
}

type TranslationDeps = { models: LanguageModels; translations: TranslationRepository; heartbeatMs?: number };

/**
 * Begins a translation in place of the attempt `replaces` and ends it in the background. `charged`
 * runs the work and settles its credits; it gives them back for an attempt that another one
 * replaced, or whose transcript is gone. Returns when the work has begun, here or in another
 * request. Throws `language_model_required`, and what `charged` throws before it calls the work.
 */
export async function beginTranslation(
  { models, translations, heartbeatMs = HEARTBEAT_MS }: TranslationDeps,
  record: CompletedTranscription,
  { language, replaces }: { language: TranslationLanguage; replaces: string | null },
  charged: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const model = await models.open();
  const segments = translatedSegments(record);
  const place = { transcriptionId: record.id, accountId: record.accountId, language };
  const workId = randomUUID();
  const begun = Promise.withResolvers<void>();
  const work = async (signal: AbortSignal) => {
    const attempt = { sourceSha256: sourceOf(segments), total: segments.length, workId };
    const hasBegun = await translations.begin(place, attempt, replaces);
    begun.resolve();
    if (!hasBegun) throw notNeeded();
    const { translateSegments } = await import('./translate-segments.ts');
    const stopped = new AbortController();
    let translated = 0;
    const onProgress = async (done: number) => {
      translated = done;
      if (!(await translations.progress(place, workId, done))) stopped.abort(notNeeded());
    };
    const beat = () => onProgress(translated).catch(() => {});
    const heartbeat = setInterval(() => void beat(), heartbeatMs);
    const texts = await translateSegments(
      model,
      segments.map(({ text }) => text),
      language,
      { signal: AbortSignal.any([signal, stopped.signal]), onProgress },
    ).finally(() => clearInterval(heartbeat));
    if (!(await translations.end(place, workId, { texts }))) throw notNeeded();
  };
  const never = new AbortController().signal;
  charged(() => models.run(never, work)).catch(async (failure: unknown) => {
    begun.reject(failure);
    // A database that is lost shows the attempt as failed when it is abandoned.
    await translations.end(place, workId, { error: serializeError(failure) }).catch(() => {});
  });
  await begun.promise;
}

/** Makes `charged` give the credits back; no client sees it. */
function notNeeded(): AppError {
  return new AppError('conflict', 'The transcript was deleted, or another request translates it.');
}
