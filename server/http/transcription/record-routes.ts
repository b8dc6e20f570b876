import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { headerKey, type Admission, type Authenticator } from '#http/authentication.ts';
import { parseForm } from '#http/form-fields.ts';
import { errorResponses, HEADER_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { createPollAnswers, type PollAnswers } from './poll-answers.ts';
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
import { progressRoute } from './progress-route.ts';
import { viewListed } from './record-view.ts';
import {
  chosenSegments,
  completedResult,
  TEXT_FILE_FORMATS,
  TEXT_FILES,
  viewJsonFile,
  type TextFileFormat,
} from './transcript-file.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const POLL = { scope: 'stt', counted: 'poll' } as const satisfies Admission;
const REQUEST = { scope: 'stt', counted: 'request' } as const satisfies Admission;
const UNKNOWN = 'There is no transcription with this id in this account.';

/** What the routes below are made with. */
type Room = { services: HttpServices; authenticator: Authenticator; answers: PollAnswers };

/** What becomes of a submitted transcription: poll, list, progress, files, deletion. */
export function recordRoutes(services: HttpServices, authenticator: Authenticator) {
  return async function routes(app: FastifyInstance): Promise<void> {
    // Ids and queries are judged by the handlers: what is malformed is an unknown id, or an error that names the parameter.
    app.setValidatorCompiler(() => (value) => ({ value }));
    const room = { services, authenticator, answers: createPollAnswers(services) };
    pollRoute(app, room);
    listRoute(app, room);
    recordRoute(app, room);
    deleteRoute(app, room);
    jsonFileRoute(app, room);
    for (const format of TEXT_FILE_FORMATS) textFileRoute(app, room, format);
    progressRoute(app, services, (request, reply) => findState(room, request, reply));
  };
}

/** The cheapest of all requests, because clients send it most. */
function pollRoute(app: FastifyInstance, { authenticator, answers }: Room): void {
  app.get<{ Querystring: { id?: unknown } }>('/api/speech-to-text/get-result', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'Poll a transcription',
      description: 'Status 200 whatever the state; poll until it is `completed` or `failed`, every 5 to 15 seconds.',
      security: HEADER_KEY,
      querystring: PollQuery,
      response: { 200: PollAnswer, ...errorResponses(...KEY_ERRORS) },
    },
    handler: async (request, reply) => {
      const { account } = await authenticator.admit(headerKey(request), POLL, request, reply);
      const sent = request.query.id;
      const id = typeof sent === 'string' ? transcriptionIdFrom(sent, account.id) : null;
      const answer = id === null ? null : await answers.find(id, account.id);
      if (answer === null) return { success: false as const, message: UNKNOWN };
      return reply.header('content-type', 'application/json; charset=utf-8').send(answer);
    },
  });
}

function listRoute(app: FastifyInstance, { services, authenticator }: Room): void {
  app.get('/api/speech-to-text', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'List transcriptions',
      description: 'Newest first, without texts; `before` with the last id of a page gives the next one.',
      security: HEADER_KEY,
      querystring: ListQuery,
      response: { 200: ListAnswer, ...errorResponses(...KEY_ERRORS, 'invalid_parameter') },
    },
    handler: async (request, reply) => {
      const { account } = await authenticator.admit(headerKey(request), REQUEST, request, reply);
      const { limit, before: sent, status } = parseQuery(ListQuery, request);
      const { transcriptions } = services.store;
      const before = sent === undefined ? null : transcriptionIdFrom(sent, account.id);
      // An empty page would look like the end of the list, and the rest would never be seen.
      const isKnown = before !== null && (await transcriptions.findState(before))?.accountId === account.id;
      if (sent !== undefined && !isKnown) {
        throw new AppError('invalid_parameter', `The field "before": ${UNKNOWN} Begin without it.`);
      }
      const page = {
        limit: limit + 1,
        ...(before === null ? {} : { before }),
        ...(status === undefined ? {} : { status }),
      };
      const records = await transcriptions.list(account.id, page);
      return {
        success: true as const,
        transcriptions: records.slice(0, limit).map(viewListed),
        has_more: records.length > limit,
      };
    },
  });
}

function recordRoute(app: FastifyInstance, room: Room): void {
  app.get('/api/speech-to-text/:id', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'One transcription',
      description: 'The same as the poll, except that an unknown id is 404.',
      security: HEADER_KEY,
      params: RecordParams,
      response: { 200: RecordAnswer, ...errorResponses(...KEY_ERRORS, 'not_found') },
    },
    handler: async (request, reply) => {
      const { id, accountId } = await identify(room, request, reply, POLL);
      const answer = id === null ? null : await room.answers.find(id, accountId);
      if (answer === null) throw new AppError('not_found', UNKNOWN);
      return reply.header('content-type', 'application/json; charset=utf-8').send(answer);
    },
  });
}

function deleteRoute(app: FastifyInstance, room: Room): void {
  app.delete('/api/speech-to-text/:id', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'Delete a transcription',
      description:
        'Its audio and texts are gone afterwards. Work that still runs ends soon, and its quota is given back.',
      security: HEADER_KEY,
      params: RecordParams,
      response: { 200: DeleteAnswer, ...errorResponses(...KEY_ERRORS, 'not_found') },
    },
    handler: async (request, reply) => {
      const { id, accountId, blobKey } = await findRecord(room, request, reply, REQUEST);
      const { store, blobs } = room.services;
      // First, because nobody else would know of the audio once its record is gone.
      if (blobKey !== null) await blobs.delete(blobKey);
      const isDeleted = await store.transcriptions.delete(id, accountId);
      room.answers.forget(id);
      if (!isDeleted) throw new AppError('not_found', UNKNOWN);
      return { success: true as const };
    },
  });
}

const FILE_ERRORS = errorResponses(...KEY_ERRORS, 'not_found', 'conflict', 'invalid_parameter');

function jsonFileRoute(app: FastifyInstance, room: Room): void {
  app.get('/api/speech-to-text/:id.json', {
    schema: {
      tags: ['Speech-to-text'],
      summary: 'A transcript with all that is known of it',
      description: 'Segments, speakers, words, characters with readings, times and confidences.',
      security: HEADER_KEY,
      params: RecordParams,
      querystring: FileQuery,
      response: { 200: JsonFile, ...FILE_ERRORS },
    },
    handler: async (request, reply) => {
      const record = await findRecord(room, request, reply, REQUEST);
      const answer = viewJsonFile(record, parseQuery(FileQuery, request).text);
      reply.header('content-disposition', attachment(record.id, 'json'));
      return answer;
    },
  });
}

function textFileRoute(app: FastifyInstance, room: Room, format: TextFileFormat): void {
  const { mediaType, write } = TEXT_FILES[format];
  const file = { schema: z.string().describe(`The transcript as a .${format} file.`) };
  app.get(`/api/speech-to-text/:id.${format}`, {
    schema: {
      tags: ['Speech-to-text'],
      summary: `A transcript as .${format}`,
      description: 'With diarization the speakers are told before what they say.',
      security: HEADER_KEY,
      params: RecordParams,
      querystring: FileQuery,
      response: { 200: { description: 'The file.', content: { [mediaType]: file } }, ...FILE_ERRORS },
    },
    handler: async (request, reply) => {
      const record = await findRecord(room, request, reply, REQUEST);
      const segments = chosenSegments(completedResult(record), parseQuery(FileQuery, request).text);
      return reply
        .type(`${mediaType}; charset=utf-8`)
        .header('content-disposition', attachment(record.id, format))
        .send(write(segments, record.options.withDiarization, room.services.config.cues));
    },
  });
}

/** A record's id is a UUID, so nothing in it needs to be quoted. */
function attachment(id: string, format: string): string {
  return `attachment; filename="${id}.${format}"`;
}

/** Who asks, and for which id; null for what can be no id at all. */
async function identify(
  { authenticator }: Room,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<{ id: string | null; accountId: string }> {
  const { account } = await authenticator.admit(headerKey(request), admission, request, reply);
  const { id } = request.params as { id: string };
  return { id: transcriptionIdFrom(id, account.id), accountId: account.id };
}

/** The record of the address, if it is the caller's. Throws `not_found`. */
async function findRecord(
  room: Room,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
): Promise<TranscriptionRecord> {
  const { id, accountId } = await identify(room, request, reply, admission);
  const record = id === null ? null : await room.services.store.transcriptions.find(id);
  if (record === null || record.accountId !== accountId) throw new AppError('not_found', UNKNOWN);
  return record;
}

/** As `findRecord`, without reading its texts: the id. */
async function findState(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { id, accountId } = await identify(room, request, reply, POLL);
  const state = id === null ? null : await room.services.store.transcriptions.findState(id);
  if (id === null || state?.accountId !== accountId) throw new AppError('not_found', UNKNOWN);
  return id;
}

/** Throws `invalid_parameter` that names the parameter. */
function parseQuery<Schema extends z.ZodType>(schema: Schema, { query }: FastifyRequest): z.output<Schema> {
  return parseForm(schema, new Map(Object.entries(query as { [name: string]: string })));
}
