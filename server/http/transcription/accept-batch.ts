import { randomUUID } from 'node:crypto';
import { AppError, UncertainCommit, type ErrorCode } from '@jyutsing/contracts/errors';
import { isFinal, type TranscriptionSummary } from '@jyutsing/contracts/transcription';
import { textLimitBytes } from '#features/accounts/plans.ts';
import type { Caller } from '#http/authentication.ts';
import { quotaRefusal } from '#http/quota.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import type { Transaction } from '#store/store.ts';
import { fingerprint, transcriptionOf } from './idempotency.ts';
import { optionsHere, prepareFailure, prepareTranscription, type AcceptDeps } from './accept.ts';
import type { PreparedTranscription } from './insert-once.ts';
import type { Submission, SubmissionRequest } from './new-record.ts';

/** Faults of one recording, which fail its own record and not the whole batch. */
const RECORDING_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'unsupported_audio_format',
  'corrupt_audio',
  'empty_audio',
  'audio_too_long',
]);

/**
 * Makes a transcription of each upload under one batch id, in one transaction: either all are
 * accepted, with the quota for all, or none. A recording that cannot be transcribed gets a failed
 * record. Returns the earlier records, in order and without deleted ones, for a repeated
 * `Idempotency-Key`. Throws AppError and leaves nothing behind.
 */
export async function acceptBatch(
  submission: SubmissionRequest,
  files: readonly UploadedFile[],
  deps: AcceptDeps,
): Promise<TranscriptionSummary[]> {
  const { store, blobs } = deps;
  const { account } = submission.caller;
  const request = { ...submission, options: optionsHere(submission.options, deps) };
  const { options, callbackUrl, idempotencyKey: key } = request;
  const requestSha256 = fingerprint({ contentSha256: files.map(({ sha256 }) => sha256).join(), options, callbackUrl });
  const earlier = key === null ? null : await store.idempotencyKeys.find(account.id, key);
  if (earlier !== null) return batchOf(await transcriptionOf(earlier, requestSha256, store), store);

  const id = randomUUID();
  const prepared: PreparedTranscription[] = [];
  let areKept = false;
  try {
    for (const [position, file] of files.entries()) {
      prepared.push(await prepareOrFail({ ...request, file, batch: { id, position } }, deps));
    }
    const entries = prepared.map((entry) => ({ ...entry, record: entry.makeRecord(randomUUID()) }));
    const transcriptionId = entries[0]?.record.id ?? id;
    return await store.transaction(async (transaction) => {
      if (key !== null) {
        const holder = await transaction.idempotencyKeys.claim({
          accountId: account.id,
          key,
          requestSha256,
          transcriptionId,
        });
        if (holder.transcriptionId !== transcriptionId) {
          return batchOf(await transcriptionOf(holder, requestSha256, transaction), transaction);
        }
      }
      await writeAll(transaction, entries, submission.caller);
      areKept = true;
      return entries.map(({ record }) => record);
    });
  } catch (refusal) {
    // Housekeeping deletes the uploads if there are no records after all.
    areKept = refusal instanceof UncertainCommit;
    if (!(refusal instanceof AppError) || refusal.code !== 'quota_exceeded') throw refusal;
    throw quotaRefusal(account, 'These recordings need more seconds than the monthly quota of this account has left.');
  } finally {
    if (!areKept) await Promise.all(prepared.map(({ blobKey }) => (blobKey === null ? null : blobs.delete(blobKey))));
  }
}

async function prepareOrFail(submission: Submission, deps: AcceptDeps): Promise<PreparedTranscription> {
  try {
    return await prepareTranscription(submission, deps);
  } catch (refusal) {
    if (!(refusal instanceof AppError) || !RECORDING_FAULTS.has(refusal.code)) throw refusal;
    return prepareFailure(submission, refusal, deps);
  }
}

type Entry = PreparedTranscription & { record: ReturnType<PreparedTranscription['makeRecord']> };

/**
 * Inserts all records in the order of their work, then takes quota, and enqueues deliveries last,
 * as the end of a transcription does: two simultaneous batches with the same recordings, or a batch
 * and a transcription that ends, would otherwise wait for each other for ever.
 */
async function writeAll(transaction: Transaction, entries: readonly Entry[], { account, plan }: Caller): Promise<void> {
  const begun: Entry[] = [];
  await transaction.storedText.within(account.id, textLimitBytes(plan), async () => {
    for (const entry of entries.toSorted((a, b) => (a.record.cacheKey < b.record.cacheKey ? -1 : 1))) {
      if (await entry.insert(transaction, entry.record)) begun.push(entry);
    }
  });
  const deliveriesLast = begun.toSorted((a, b) => Number(isFinal(a.record)) - Number(isFinal(b.record)));
  for (const { begin, record } of deliveriesLast) await begin(transaction, record);
}

function batchOf(
  { accountId, batchId }: TranscriptionSummary,
  { transcriptions }: Pick<Transaction, 'transcriptions'>,
): Promise<TranscriptionSummary[]> {
  return transcriptions.findBatch(accountId, batchId ?? '');
}
