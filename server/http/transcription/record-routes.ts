import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { DiskSpace } from '#http/disk-space.ts';
import { parseFields } from '#http/fields.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { searchTranscripts, type Search } from '#features/search/transcript-search.ts';
import { speakerLabels } from '#features/transcription/format.ts';
import { shownTranscript, type ShownTranscript } from '#features/transcription/shown-transcript.ts';
import { addDeleteRoutes } from './delete-routes.ts';
import { addEditRoutes } from './edit-routes.ts';
import { findRecord, UNKNOWN_RECORD } from './find-record.ts';
import { createPollAnswers, type PollAnswers } from './poll-answers.ts';
import { addProgressRoute } from './progress-route.ts';
import {
  FileQuery,
  JsonFile,
  ListAnswer,
  ListQuery,
  PollAnswer,
  PollQuery,
  RecordAnswer,
  RecordParams,
  TagsAnswer,
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
  addDeleteRoutes(addRoute, deps, answers);
  addTagsRoute(addRoute, deps);
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

function addListRoute(addRoute: AddRoute, { store }: RouteDeps): void {
  const { transcriptions, transcriptSearch } = store;
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text'],
    docs: {
      tags: TAGS,
      operationId: 'listTranscriptions',
      summary: 'List or search transcriptions',
      description:
        'Newest first, without texts; with `query` those that contain it. Send the last id of a page as `before` to get the next page.',
      querystring: ListQuery,
      ok: ListAnswer,
      errors: ['invalid_parameter'],
    },
    auth: REQUEST,
    body: noBody,
    async run({ caller: { account }, request }) {
      const {
        limit,
        before: beforeId,
        status,
        batch_id: batchId,
        tag: tags,
        ...search
      } = parseQuery(ListQuery, request);
      const before = beforeId === undefined ? null : transcriptionIdFrom(beforeId, account.id);
      // An unknown id is refused: an empty page would look like the end of the list.
      const isKnown = before !== null && (await transcriptions.findState(before))?.accountId === account.id;
      if (beforeId !== undefined && !isKnown) {
        throw new AppError('invalid_parameter', `The field "before": ${UNKNOWN_RECORD} Begin without it.`);
      }
      const { query = '', in: where, order } = search;
      if (query.trim() !== '') {
        if (status !== undefined || batchId !== undefined) {
          throw new AppError('invalid_parameter', 'The field "query" cannot be combined with "status" or "batch_id".');
        }
        return findTranscriptions(store, account.id, { query, where, order, tags, limit, before });
      }
      const records = await transcriptions.list(account.id, {
        limit: limit + 1,
        tags,
        ...(before === null ? {} : { before }),
        ...(status === undefined ? {} : { status }),
        ...(batchId === undefined ? {} : { batchId: batchId.toLowerCase() }),
      });
      const page = records.slice(0, limit);
      const tagsById = await transcriptSearch.tagsOf(page.map(({ id }) => id));
      return {
        success: true as const,
        transcriptions: page.map((record) => viewListed(record, { tags: tagsById.get(record.id) })),
        has_more: records.length > limit,
      };
    },
  });
}

function addTagsRoute(addRoute: AddRoute, { store }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/tags'],
    docs: {
      tags: TAGS,
      operationId: 'listTags',
      summary: 'The tags of the account',
      ok: TagsAnswer,
    },
    auth: REQUEST,
    body: noBody,
    run: ({ caller }) => store.transcriptSearch.countTags(caller.account.id),
    answer: (tags) => ({ success: true, tags }),
  });
}

async function findTranscriptions(
  store: RouteDeps['store'],
  accountId: string,
  search: Search,
): Promise<z.output<typeof ListAnswer>> {
  const { transcripts, total, hasMore, unindexed } = await searchTranscripts(store, accountId, search);
  const ids = transcripts.map(({ id }) => id);
  const [records, tags] = await Promise.all([
    store.transcriptions.findListed(accountId, ids),
    store.transcriptSearch.tagsOf(ids),
  ]);
  return {
    success: true,
    transcriptions: transcripts.flatMap((found) => {
      const record = records.get(found.id);
      return record === undefined ? [] : [viewListed(record, { tags: tags.get(found.id), found })];
    }),
    has_more: hasMore,
    total,
    ...(unindexed === 0 ? {} : { unindexed }),
  };
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
