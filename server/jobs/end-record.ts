import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { SerializedError } from '@jyutsing/contracts/errors';
import { isKeptRecording, type TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { endJoined } from '#queue/end-joined.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import type { Queue } from '#queue/queue.ts';
import type { Store } from '#store/store.ts';
import type { TranscriptionUpdates } from './transcription-updates.ts';

/** The services that end a record. */
export type EndServices = {
  store: Store;
  queue: Pick<Queue, 'enqueue'>;
  updates: Pick<TranscriptionUpdates, 'publishFinal'>;
  blobs: Pick<BlobStore, 'delete'>;
};

/** Fails a record that is not final and whose job does not run, and deletes its audio. */
export async function failTranscription(id: string, error: SerializedError, services: EndServices): Promise<void> {
  const { record } = await failRecord(id, error, services, null);
  await finish(record ?? { id, blobKey: null }, services);
}

/**
 * Fails a record that is not final; returns the record (null: deleted). `isFailed` is false when it
 * had ended before: perhaps this process ended it, without an answer to the commit.
 * `processingSeconds` null: not measured.
 */
export async function failRecord(
  id: string,
  error: SerializedError,
  { store, queue }: EndServices,
  processingSeconds: number | null,
): Promise<{ record: TranscriptionRecord | null; isFailed: boolean }> {
  return store.transaction(async (transaction) => {
    const record = await transaction.transcriptions.find(id);
    const isFailed = await transaction.transcriptions.fail(id, { error, processingSeconds });
    if (record !== null && isFailed) await enqueueDelivery(transaction, record, queue);
    return { record, isFailed };
  });
}

/** Hundreds of records may have joined one, and each file of an S3 server takes a request. */
const DELETED_AT_ONCE = 16;

/**
 * Publishes the end of a record, ends those that joined it, and deletes their audio. The job runs
 * again when its process is killed before that is done; housekeeping calls this for other work.
 */
export async function finish(
  record: Pick<TranscriptionRecord, 'id' | 'blobKey'>,
  services: EndServices,
): Promise<void> {
  const { store, queue, updates, blobs } = services;
  updates.publishFinal(record.id);
  // Complete: nothing joins a final record. Most have none, and need no further transaction.
  const joined = await store.transcriptions.joinedTo(record.id);
  // Before any audio: texts must not wait for a storage of files that does not answer.
  const endSome = () => store.transaction((transaction) => endJoined(transaction, record.id, queue));
  const unpublished = new Set(joined.map(({ id }) => id));
  let ended = joined.length === 0 ? [] : await endSome();
  for (; ended.length > 0; ended = await endSome()) {
    for (const { id } of ended) {
      updates.publishFinal(id);
      unpublished.delete(id);
    }
    await yieldToEventLoop();
  }
  // A killed process has ended these.
  for (const id of unpublished) updates.publishFinal(id);
  const uploads = [record, ...joined];
  while (uploads.length > 0) {
    await Promise.all(uploads.splice(0, DELETED_AT_ONCE).map((upload) => deleteAudio(upload, { blobs })));
  }
}

/** Recordings are kept only while the work needs them, unless the request asked for more. */
async function deleteAudio(
  { blobKey }: Pick<TranscriptionRecord, 'blobKey'>,
  { blobs }: Pick<EndServices, 'blobs'>,
): Promise<void> {
  if (blobKey !== null && !isKeptRecording(blobKey)) await blobs.delete(blobKey);
}
