import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { ServerDeps } from '#http/deps.ts';
import type { DiskSpace } from '#http/disk-space.ts';
import { parseFields } from '#http/fields.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { searchTranscripts, type Search } from '#features/search/transcript-search.ts';
import { addAfterRoutes } from './after-routes.ts';
import { addDeleteRoutes } from './delete-routes.ts';
import { addEditRoutes } from './edit-routes.ts';
import { addFileRoutes } from './file-routes.ts';
import { UNKNOWN_RECORD } from './find-record.ts';
import { createPollAnswers, type PollAnswers } from './poll-answers.ts';
import { addProgressRoute } from './progress-route.ts';
import {
  ListAnswer,
  ListQuery,
  PollAnswer,
  PollQuery,
  RecordAnswer,
  RecordParams,
  TagsAnswer,
} from './record-schema.ts';
import { viewListed } from './record-view.ts';
import { createRenderingTurns } from './rendering-turns.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const TAGS = ['Speech-to-text'];
const POLL = { scope: 'stt', rateLimit: 'poll' } as const;
const REQUEST = { scope: 'stt', rateLimit: 'request' } as const;
const JSON_TYPE = 'application/json; charset=utf-8';

type RouteDeps = Pick<
  ServerDeps,
  'blobs' | 'config' | 'followProgress' | 'languageModels' | 'logger' | 'queue' | 'store' | 'workers'
> & {
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
  addFileRoutes(addRoute, deps, inTurn);
  addProgressRoute(addRoute, deps);
  addEditRoutes(addRoute, deps);
  addAfterRoutes(addRoute, deps);
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

function addListRoute(addRoute: AddRoute, { logger, store }: RouteDeps): void {
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
        return findTranscriptions({ logger, store }, account.id, { query, where, order, tags, limit, before });
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
  deps: Pick<RouteDeps, 'logger' | 'store'>,
  accountId: string,
  search: Search,
): Promise<z.output<typeof ListAnswer>> {
  const { transcripts, total, hasMore, unindexed } = await searchTranscripts(deps, accountId, search);
  const { store } = deps;
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

/** Throws `invalid_parameter` that names the parameter. */
function parseQuery<Schema extends z.ZodType>(schema: Schema, { query }: FastifyRequest): z.output<Schema> {
  return parseFields(schema, query, 'invalid_parameter');
}
