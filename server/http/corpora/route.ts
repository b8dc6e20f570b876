import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Account } from '@jyutsing/contracts/accounts';
import type { Corpus } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { formatCorpusTsv } from '#features/corpora/corpus-file.ts';
import type { CorpusEditor, CorpusLibrary } from '#features/corpora/library.ts';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, HEADER_OR_FIELD_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { CORPUS_ADMISSION, createCorpusReceiver, MAX_CORPUS_BYTES, TSV_TYPE } from './receive-corpus.ts';
import {
  CorporaAnswer,
  CorpusAnswer,
  CREATE_BODIES,
  CreateQuery,
  DeletedAnswer,
  IdParameter,
  REPLACE_BODIES,
  ReplaceQuery,
  viewCorpus,
  viewSummary,
} from './schema.ts';

const DOCUMENTED = { tags: ['Corpora'] };
const CHANGE_ERRORS = [
  ...KEY_ERRORS,
  'invalid_parameter',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
] as const;

type Services = Pick<HttpServices, 'config'> & { corpora: CorpusLibrary & CorpusEditor };
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Account>;
type WithId = { Params: { id: string } };

/** Corpora: the public ones, and those of the caller's account. */
export function corporaRoutes(services: Services, authenticator: Authenticator) {
  const admit: Admit = async (request, reply) =>
    (await authenticator.admit(headerKey(request), CORPUS_ADMISSION, request, reply)).account;
  return async function routes(app: FastifyInstance): Promise<void> {
    readingRoutes(app, services.corpora, admit);
    deletionRoute(app, services.corpora, admit);
    app.register(async (writing) => {
      writing.register(multipart, { throwFileSizeLimit: false });
      writing.addContentTypeParser(TSV_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      writing.removeContentTypeParser('text/plain');
      changingRoutes(writing, services, authenticator);
    });
  };
}

function readingRoutes(app: FastifyInstance, corpora: CorpusLibrary, admit: Admit): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get('/api/corpora', {
    schema: {
      ...DOCUMENTED,
      summary: 'The corpora that the account can use',
      description: 'The public ones first, then those of the account, oldest first.',
      security: HEADER_KEY,
      response: { 200: CorporaAnswer, ...errorResponses(...KEY_ERRORS) },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      return { success: true as const, corpora: (await corpora.list(id)).map(viewSummary) };
    },
  });
  typed.get('/api/corpora/:id', {
    schema: {
      ...DOCUMENTED,
      summary: 'A corpus with its entries',
      security: HEADER_KEY,
      params: IdParameter,
      response: { 200: CorpusAnswer, ...errorResponses(...KEY_ERRORS, 'not_found') },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      return viewAnswer(await requireCorpus(corpora, id, request.params.id));
    },
  });
  app.get<WithId>('/api/corpora/:id.tsv', {
    schema: {
      ...DOCUMENTED,
      summary: 'A corpus as a file',
      description: 'Tab-separated, as it can be sent again.',
      security: HEADER_KEY,
      params: IdParameter,
      response: {
        200: { description: 'The file.', content: { [TSV_TYPE]: { schema: z.string() } } },
        ...errorResponses(...KEY_ERRORS, 'not_found'),
      },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      const corpus = await requireCorpus(corpora, id, request.params.id);
      return reply
        .type(`${TSV_TYPE}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${corpus.id}.tsv"`)
        .serializer(String)
        .send(formatCorpusTsv(corpus));
    },
  });
}

function deletionRoute(app: FastifyInstance, corpora: CorpusEditor, admit: Admit): void {
  app.withTypeProvider<ZodTypeProvider>().delete('/api/corpora/:id', {
    schema: {
      ...DOCUMENTED,
      summary: 'Delete a corpus of the account',
      security: HEADER_KEY,
      params: IdParameter,
      response: { 200: DeletedAnswer, ...errorResponses(...KEY_ERRORS, 'not_found') },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      await corpora.delete(id, request.params.id);
      return { success: true as const };
    },
  });
}

function changingRoutes(app: FastifyInstance, services: Services, authenticator: Authenticator): void {
  const { corpora } = services;
  const receive = createCorpusReceiver(services, authenticator);
  // Queries and bodies are checked by hand, after the key: which of them counts depends on the type of the body.
  const unchecked = { bodyLimit: MAX_CORPUS_BYTES, validatorCompiler: () => (value: unknown) => ({ value }) };
  app.post('/api/corpora', {
    ...unchecked,
    schema: {
      ...DOCUMENTED,
      summary: 'Create a corpus',
      description:
        'As JSON, as a form with a file, or as tab-separated text with the rest in the query. Only the account sees it.',
      security: HEADER_OR_FIELD_KEY,
      querystring: CreateQuery,
      response: { 200: CorpusAnswer, ...errorResponses(...CHANGE_ERRORS, 'missing_file') },
    },
    config: { bodies: CREATE_BODIES },
    handler: async (request, reply) => {
      const { account, fields, entries } = await receive(request, reply);
      const { name, description = '', language = null } = fields;
      if (name === undefined) throw new AppError('invalid_request', 'The field "name" is missing.');
      if (entries === null) throw noEntries(request);
      return viewAnswer(await corpora.create(account.id, { name, description, language, entries }));
    },
  });
  app.put<WithId>('/api/corpora/:id', {
    ...unchecked,
    schema: {
      ...DOCUMENTED,
      summary: 'Replace parts of a corpus of the account',
      description:
        'What is not sent stays as it is. The version counts up, and results that used the corpus are not taken from the cache any more.',
      security: HEADER_OR_FIELD_KEY,
      params: IdParameter,
      querystring: ReplaceQuery,
      response: { 200: CorpusAnswer, ...errorResponses(...CHANGE_ERRORS, 'not_found') },
    },
    config: { bodies: REPLACE_BODIES },
    handler: async (request, reply) => {
      const { account, fields, entries } = await receive(request, reply);
      const { version = null, ...texts } = fields;
      const change = entries === null ? texts : { ...texts, entries };
      return viewAnswer(await corpora.replace(account.id, request.params.id, change, version));
    },
  });
}

function viewAnswer(corpus: Corpus) {
  return { success: true as const, corpus: viewCorpus(corpus) };
}

async function requireCorpus(corpora: CorpusLibrary, accountId: string, id: string): Promise<Corpus> {
  const corpus = await corpora.find(accountId, id);
  if (corpus === null) throw new AppError('not_found', 'There is no corpus with this id.');
  return corpus;
}

function noEntries(request: FastifyRequest): AppError {
  return request.isMultipart()
    ? new AppError('missing_file', 'Send the corpus as a file in the form field "data".')
    : new AppError('invalid_request', 'The field "entries" is missing.');
}
