import type { LanguageModel } from '@jyutsing/contracts/language-model';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { creditsFor, translatedSegments } from '#features/after-transcript/translate-transcript.ts';
import type { ServerDeps } from '#http/deps.ts';
import { fingerprintOf } from '#http/idempotency-key.ts';
import { withQuota, type QuotaCharge } from '#http/quota.ts';
import { acceptTranscription, type AcceptDeps } from '#http/transcription/accept.ts';
import { declaredDurationMs } from '#http/transcription/check-recording.ts';
import type { Submission } from '#http/transcription/new-record.ts';
import { assertCompleted } from '#http/transcription/record-view.ts';

export const TRANSLATIONS_PATH = '/v1/audio/translations';
const SUMMARY_QUOTA = { unit: 'video_summaries', whenClientLeaves: 'release' } as const;

export type TranslationDeps = AcceptDeps & Pick<ServerDeps, 'languageModels' | 'logger' | 'waitForTranscription'>;

/**
 * Transcribes a recording and translates each segment into English, which costs summary credits
 * unless it is English already.
 */
export async function translateRecording(
  submission: Submission,
  model: LanguageModel,
  connected: AbortSignal,
  deps: TranslationDeps,
): Promise<CompletedTranscription> {
  const charge = await translationCharge(submission, connected, deps);
  // The credits are reserved before the seconds are spent.
  const work = async () => {
    const { id } = await acceptTranscription(submission, deps);
    const spoken = assertCompleted(await deps.waitForTranscription(id, connected));
    if (spoken.result.language === 'english') return { record: spoken, credits: 0 };
    return { record: await translateToEnglish(spoken, model, connected, deps), credits: creditsFor(spoken) };
  };
  return (await withQuota(deps, charge, work, ({ credits }) => credits)).record;
}

/**
 * The summary credits to reserve, by the duration that the recording declares. Throws what
 * `declaredDurationMs` throws.
 */
async function translationCharge(
  submission: Submission,
  connected: AbortSignal,
  deps: TranslationDeps,
): Promise<QuotaCharge> {
  const { caller, file, options, idempotencyKey: key } = submission;
  const durationMs = await declaredDurationMs(submission, deps);
  const requestSha256 = fingerprintOf(TRANSLATIONS_PATH, { sha256: file.sha256, options });
  return {
    ...SUMMARY_QUOTA,
    caller,
    amount: options.language === 'english' ? 0 : creditsFor({ durationMs }),
    hasLeft: () => connected.aborted,
    idempotency: key === null ? undefined : { key, requestSha256 },
  };
}

async function translateToEnglish(
  record: CompletedTranscription,
  model: LanguageModel,
  connected: AbortSignal,
  { languageModels }: TranslationDeps,
): Promise<CompletedTranscription> {
  const segments = translatedSegments(record);
  const spoken = segments.map(({ text }) => text);
  const texts = await languageModels.run(connected, async (signal) => {
    const { translateSegments } = await import('#features/after-transcript/translate-segments.ts');
    return translateSegments(model, spoken, 'english', { signal });
  });
  const english = segments.map((segment, index) => ({ ...segment, text: texts[index] ?? '', words: [] }));
  const result = { ...record.result, language: 'english' as const, segments: english, fusion: null };
  return { ...record, result, edit: null };
}
