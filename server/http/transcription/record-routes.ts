import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import { isKeptRecording } from '@jyutsing/contracts/transcription';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { DiskSpace } from '#http/disk-space.ts';
import { parseFields } from '#http/fields.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { endJoined } from '#queue/end-joined.ts';
import { transcriptionJob } from '#queue/transcription-job.ts';
import type { Transaction } from '#store/store.ts';
import { deleteWhenGone } from '#features/delete-when-gone.ts';
import { speakerLabels } from '#features/transcription/format.ts';
import { shownTranscript, type ShownTranscript } from '#features/transcription/shown-transcript.ts';
import { addEditRoutes } from './edit-routes.ts';
import { findRecord, UNKNOWN_RECORD } from './find-record.ts';
import { createPollAnswers, type PollAnswers } from './poll-answers.ts';
import { addProgressRoute } from './progress-route.ts';
import {
  DeleteAnswer,
  FileQuery,
  JsonFile,
  ListAnswer,
  ListQuery,
  PollAnswer,
  PollQuery,
  RecordAnswer,
  RecordParams,
} from './record-schema.ts';
import { viewListed } from './record-view.ts';
import { createRenderingTurns, type RenderInTurn } from './rendering-turns.ts';
import {
  completedRecordOf,
  TEXT_FILE_FORMATS,
  TEXT_FILES,
  writeJsonFile,
  type TextFileFormat,
} from './transcript-file.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const TAGS = ['Speech-to-text'];
const POLL = { scope: 'stt', rateLimit: 'poll' } as const;
const REQUEST = { scope: 'stt', rateLimit: 'request' } as const;
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_FILE_OPERATIONS = { txt: 'getTranscriptTxt', srt: 'getTranscriptSrt', vtt: 'getTranscriptVtt' } as const;

type RouteDeps = Pick<ServerDeps, 'blobs' | 'config' | 'followProgress' | 'logger' | 'queue' | 'store'> & {
  disk: DiskSpace;
};

/** Submitted transcriptions: poll, list, progress, files, deletion. */
export function addRecordRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const inTurn = createRenderingTurns();
  const answers = createPollAnswers(deps, inTurn);
  addPollRoutes(addRoute, answers);
  addListRoute(addRoute, deps);
  addDeleteRoute(addRoute, deps, answers);
  addJsonFileRoute(addRoute, deps, inTurn);
  for (const format of TEXT_FILE_FORMATS) addTextFileRoute(addRoute, deps, inTurn, format);
  addProgressRoute(addRoute, deps);
  addEditRoutes(addRoute, deps);
}

/** The cheapest of all requests, because clients send it most. */
function addPollRoutes(addRoute: AddRoute, answers: PollAnswers): void {
  const find = async (idInPath: unknown, accountId: string) => {
    const id = typeof idInPath === 'string' ? transcriptionIdFrom(idInPath, accountId) : null;
    return id === null ? null : answers.find(id, accountId);
  };
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/get-result'],
    docs: {
      tags: TAGS,
      operationId: 'pollTranscription',
      summary: 'Poll a transcription',
      description: 'Status 200 in every state; poll every 5 to 15 seconds until it is `completed` or `failed`.',
      querystring: PollQuery,
      ok: PollAnswer,
    },
    auth: POLL,
    body: noBody,
    run: ({ caller, request }) => find((request.query as { id?: unknown }).id, caller.account.id),
    answer: (found, { reply }) =>
      found === null
        ? { success: false, message: UNKNOWN_RECORD }
        : reply.header('content-type', JSON_TYPE).send(found),
  });
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/:id'],
    docs: {
      tags: TAGS,
      operationId: 'getTranscription',
      summary: 'One transcription',
      description: 'The same as the poll, except that an unknown id is 404.',
      params: RecordParams,
      ok: RecordAnswer,
      errors: ['not_found'],
    },
    auth: POLL,
    body: noBody,
    run: ({ caller, id }) => find(id, caller.account.id),
    answer(found, { reply }) {
      if (found === null) throw new AppError('not_found', UNKNOWN_RECORD);
      return reply.header('content-type', JSON_TYPE).send(found);
    },
  });
}

function addListRoute(addRoute: AddRoute, { store: { transcriptions } }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text'],
    docs: {
      tags: TAGS,
      operationId: 'listTranscriptions',
      summary: 'List transcriptions',
      description: 'Newest first, without texts. Send the last id of a page as `before` to get the next page.',
      querystring: ListQuery,
      ok: ListAnswer,
      errors: ['invalid_parameter'],
    },
    auth: REQUEST,
    body: noBody,
    async run({ caller: { account }, request }) {
      const { limit, before: beforeId, status, batch_id: batchId } = parseQuery(ListQuery, request);
      const before = beforeId === undefined ? null : transcriptionIdFrom(beforeId, account.id);
      // An unknown id is refused: an empty page would look like the end of the list.
      const isKnown = before !== null && (await transcriptions.findState(before))?.accountId === account.id;
      if (beforeId !== undefined && !isKnown) {
        throw new AppError('invalid_parameter', `The field "before": ${UNKNOWN_RECORD} Begin without it.`);
      }
      const records = await transcriptions.list(account.id, {
        limit: limit + 1,
        ...(before === null ? {} : { before }),
        ...(status === undefined ? {} : { status }),
        ...(batchId === undefined ? {} : { batchId: batchId.toLowerCase() }),
      });
      return { records: records.slice(0, limit), hasMore: records.length > limit };
    },
    answer: ({ records, hasMore }) => ({
      success: true,
      transcriptions: records.map(viewListed),
      has_more: hasMore,
    }),
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
      const { id, accountId, blobKey } = await findRecord(deps, context);
      const isGone = async () => (await deps.store.transcriptions.findState(id)) === null;
      const deleteAudio = async () => void (blobKey !== null && (await deps.blobs.delete(blobKey)));
      const isDeleted = await deleteWhenGone(deleteRecord(deps, id, accountId), isGone, deleteAudio);
      answers.forget(id);
      if (!isDeleted) throw new AppError('not_found', UNKNOWN_RECORD);
      // After its record: a job that misses the audio would fail all records that joined this one.
      await deleteAudio().catch(leftToHousekeeping(deps));
    },
    answer: () => ({ success: true }),
  });
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

const FILE_ERRORS = ['not_found', 'conflict', 'invalid_parameter'] as const;

function addJsonFileRoute(addRoute: AddRoute, deps: RouteDeps, inTurn: RenderInTurn): void {
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/:id.json'],
    docs: {
      tags: TAGS,
      operationId: 'getTranscriptJson',
      summary: 'A transcript with all its details',
      description: 'Segments, speakers, words, characters with readings, times and confidences.',
      params: RecordParams,
      querystring: FileQuery,
      ok: JsonFile,
      errors: FILE_ERRORS,
    },
    auth: REQUEST,
    body: noBody,
    run: (context) =>
      inTurn(context.caller.account.id, abortOnDisconnect(context.reply), async () => {
        const record = await findRecord(deps, context);
        const text = await writeJsonFile(record, parseQuery(FileQuery, context.request));
        if (deps.config.validateResponses) JsonFile.parse(JSON.parse(text));
        return { id: record.id, editVersion: record.editVersion, text };
      }),
    answer: ({ id, editVersion, text }, { reply }) =>
      reply
        .header('content-type', JSON_TYPE)
        .header('etag', `"${editVersion}"`)
        .header('content-disposition', attachment(id, 'json'))
        .send(text),
  });
}

function addTextFileRoute(addRoute: AddRoute, deps: RouteDeps, inTurn: RenderInTurn, format: TextFileFormat): void {
  const { mediaType, write } = TEXT_FILES[format];
  const file = { schema: z.string().describe(`The transcript as a .${format} file.`) };
  addRoute({
    method: 'GET',
    paths: [`/api/speech-to-text/:id.${format}`],
    docs: {
      tags: TAGS,
      operationId: TEXT_FILE_OPERATIONS[format],
      summary: `A transcript as .${format}`,
      description:
        'With diarization the name of the speaker comes before each text, unless there is one without a given name.',
      params: RecordParams,
      querystring: FileQuery,
      ok: { description: 'The file.', content: { [mediaType]: file } },
      errors: FILE_ERRORS,
    },
    auth: REQUEST,
    body: noBody,
    run: (context) =>
      inTurn(context.caller.account.id, abortOnDisconnect(context.reply), async () => {
        const record = await findRecord(deps, context);
        const { segments, names } = shownTranscript(completedRecordOf(record), parseQuery(FileQuery, context.request));
        const withSpeakers = record.options.withDiarization || names.size > 0;
        const areShown = withSpeakers && needNames(segments, names);
        const text = await write(segments, areShown, deps.config.cues, names);
        return { id: record.id, text };
      }),
    answer: ({ id, text }, { reply }) =>
      reply.type(`${mediaType}; charset=utf-8`).header('content-disposition', attachment(id, format)).send(text),
  });
}

/** A speaker who is alone needs none, but keeps one that was given. */
function needNames(segments: readonly Segment[], names: ShownTranscript['names']): boolean {
  const [first, ...furtherLabels] = speakerLabels(segments).keys();
  return first !== undefined && (furtherLabels.length > 0 || names.has(first));
}

/** A record's id is a UUID, so nothing in it needs to be quoted. */
function attachment(id: string, format: string): string {
  return `attachment; filename="${id}.${format}"`;
}

/** Throws `invalid_parameter` that names the parameter. */
function parseQuery<Schema extends z.ZodType>(schema: Schema, { query }: FastifyRequest): z.output<Schema> {
  return parseFields(schema, query, 'invalid_parameter');
}
