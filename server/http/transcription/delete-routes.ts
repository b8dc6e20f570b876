import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import { isKeptRecording, type TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { ServerDeps } from '#http/deps.ts';
import { jsonBody } from '#http/json-body.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { endJoined } from '#queue/end-joined.ts';
import { transcriptionJob } from '#queue/transcription-job.ts';
import type { Transaction } from '#store/store.ts';
import { deleteWhenGone } from '#features/delete-when-gone.ts';
import { findRecord, UNKNOWN_RECORD } from './find-record.ts';
import type { PollAnswers } from './poll-answers.ts';
import { DeleteAnswer, DeletionsAnswer, IdsBody, RecordParams } from './record-schema.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const TAGS = ['Speech-to-text'];
const REQUEST = { scope: 'stt', rateLimit: 'request' } as const;

type RouteDeps = Pick<ServerDeps, 'blobs' | 'logger' | 'queue' | 'store'>;

/** Deletes one transcription, or many of them. */
export function addDeleteRoutes(addRoute: AddRoute, deps: RouteDeps, answers: PollAnswers): void {
  addDeleteRoute(addRoute, deps, answers);
  addRoute({
    method: 'POST',
    paths: ['/api/speech-to-text/deletions'],
    docs: {
      tags: TAGS,
      operationId: 'deleteTranscriptions',
      summary: 'Delete several transcriptions',
      description: 'As one by one; ids that the account does not have are named.',
      ok: DeletionsAnswer,
      errors: ['invalid_parameter', 'payload_too_large', 'unsupported_media_type'],
    },
    auth: REQUEST,
    body: jsonBody(IdsBody, { keyFirst: 'header' }),
    async run({ caller: { account }, input }) {
      const unknown: string[] = [];
      for (const askedId of input.ids) {
        const id = transcriptionIdFrom(askedId, account.id);
        const record = id === null ? null : await deps.store.transcriptions.find(id);
        const isOwn = record !== null && record.accountId === account.id;
        if (!isOwn || !(await deleteOne(deps, record, answers))) unknown.push(askedId);
      }
      return { success: true as const, deleted: input.ids.length - unknown.length, unknown };
    },
  });
}

function addDeleteRoute(addRoute: AddRoute, deps: RouteDeps, answers: PollAnswers): void {
  addRoute({
    method: 'DELETE',
    paths: ['/api/speech-to-text/:id'],
    docs: {
      tags: TAGS,
      operationId: 'deleteTranscription',
      summary: 'Delete a transcription',
      description: 'Deletes its audio and texts. A running job ends, and the seconds recognized so far are charged.',
      params: RecordParams,
      ok: DeleteAnswer,
      errors: ['not_found'],
    },
    auth: REQUEST,
    body: noBody,
    async run(context) {
      const isDeleted = await deleteOne(deps, await findRecord(deps, context), answers);
      if (!isDeleted) throw new AppError('not_found', UNKNOWN_RECORD);
    },
    answer: () => ({ success: true }),
  });
}

type Deleted = Pick<TranscriptionRecord, 'id' | 'accountId' | 'blobKey'>;

/** Deletes a record and its audio; false when it is gone. */
async function deleteOne(deps: RouteDeps, { id, accountId, blobKey }: Deleted, answers: PollAnswers): Promise<boolean> {
  const isGone = async () => (await deps.store.transcriptions.findState(id)) === null;
  const deleteAudio = async () => void (blobKey !== null && (await deps.blobs.delete(blobKey)));
  const isDeleted = await deleteWhenGone(deleteRecord(deps, id, accountId), isGone, deleteAudio);
  answers.forget(id);
  // After its record: a job that misses the audio would fail all records that joined this one.
  if (isDeleted) await deleteAudio().catch(leftToHousekeeping(deps));
  return isDeleted;
}

/** Housekeeping deletes audio that has no record. */
function leftToHousekeeping({ logger }: RouteDeps) {
  return (cause: unknown) => logger.warn({ cause }, 'the audio of a deleted transcription is deleted later');
}

/**
 * Deletes a record. If others wait for its work, one of them gets a job of its own. Those that wait
 * for the outcome of a final record get it before, a few in each transaction: the process that was
 * to do that may have been killed. Their audio goes last, because texts must not wait for a storage
 * of files that does not answer.
 */
async function deleteRecord(deps: RouteDeps, id: string, accountId: string): Promise<boolean> {
  const audio: string[] = [];
  try {
    for (;;) {
      const { isDone, isDeleted, ended } = await deps.store.transaction(async (transaction) => {
        const ended = await endJoined(transaction, id, deps.queue);
        if (ended.length > 0) return { isDone: false, isDeleted: false, ended };
        const isDeleted = await transaction.transcriptions.delete(id, accountId);
        if (isDeleted) await enqueueSuccessor(transaction, id, deps);
        return { isDone: true, isDeleted, ended };
      });
      if (isDone) return isDeleted;
      for (const { blobKey } of ended) if (blobKey !== null && !isKeptRecording(blobKey)) audio.push(blobKey);
      await yieldToEventLoop();
    }
  } finally {
    await Promise.all(audio.map((key) => deps.blobs.delete(key).catch(leftToHousekeeping(deps))));
  }
}

async function enqueueSuccessor(transaction: Transaction, deletedId: string, { queue }: RouteDeps): Promise<void> {
  const successor = await transaction.transcriptions.successorOf(deletedId);
  const record = successor === null ? null : await transaction.transcriptions.find(successor.id);
  if (record !== null) await queue.enqueue(transaction, transcriptionJob(record));
}
