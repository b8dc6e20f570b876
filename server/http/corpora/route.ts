import { z } from 'zod';
import type { Corpus } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { textLimitBytes } from '#features/accounts/plans.ts';
import { formatCorpusTsv } from '#features/corpora/corpus-file.ts';
import type { LimitUploads } from '#http/upload-limits.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import { addCorpusCheckRoute } from './check-route.ts';
import { addCorpusDeckRoute, type DeckDeps } from './deck-route.ts';
import { corpusBody, MAX_CORPUS_BYTES, TSV_TYPE } from './corpus-body.ts';
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

const TAGS = ['Corpora'];
const AUTH = { scope: 'stt', rateLimit: 'request' } as const;
const CHANGE_ERRORS = [
  'invalid_parameter',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'storage_exceeded',
] as const;

type RouteDeps = DeckDeps & { limitUploads: LimitUploads };

/** Public corpora, and the corpora of the caller's account. */
export function addCorpusRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  addReadingRoutes(addRoute, deps);
  addDeletionRoute(addRoute, deps);
  addChangingRoutes(addRoute, deps);
  addCorpusCheckRoute(addRoute);
  addCorpusDeckRoute(addRoute, deps);
}

function addReadingRoutes(addRoute: AddRoute, { corpora }: RouteDeps): void {
  const findCorpus = async ({ caller, id }: RouteContext<undefined>): Promise<Corpus> => {
    const corpus = await corpora.find(caller.account.id, id);
    if (corpus === null) throw new AppError('not_found', 'There is no corpus with this id.');
    return corpus;
  };
  addRoute({
    method: 'GET',
    paths: ['/api/corpora'],
    docs: {
      tags: TAGS,
      operationId: 'listCorpora',
      summary: 'The corpora that the account can use',
      description: 'The public ones first, then those of the account, oldest first.',
      ok: CorporaAnswer,
    },
    auth: AUTH,
    body: noBody,
    run: ({ caller }) => corpora.list(caller.account.id),
    answer: (found) => ({ success: true, corpora: found.map(viewSummary) }),
  });
  addRoute({
    method: 'GET',
    paths: ['/api/corpora/:id'],
    docs: {
      tags: TAGS,
      operationId: 'getCorpus',
      summary: 'A corpus with its entries',
      params: IdParameter,
      ok: CorpusAnswer,
      errors: ['not_found'],
    },
    auth: AUTH,
    body: noBody,
    run: findCorpus,
    answer: viewAnswer,
  });
  addRoute({
    method: 'GET',
    paths: ['/api/corpora/:id.tsv'],
    docs: {
      tags: TAGS,
      operationId: 'getCorpusTsv',
      summary: 'A corpus as a file',
      description: 'Tab-separated, in the format that can be uploaded.',
      params: IdParameter,
      ok: { description: 'The file.', content: { [TSV_TYPE]: { schema: z.string() } } },
      errors: ['not_found'],
    },
    auth: AUTH,
    body: noBody,
    run: findCorpus,
    answer: (corpus, { reply }) =>
      reply
        .type(`${TSV_TYPE}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${corpus.id}.tsv"`)
        .serializer(String)
        .send(formatCorpusTsv(corpus)),
  });
}

function addDeletionRoute(addRoute: AddRoute, { corpora }: RouteDeps): void {
  addRoute({
    method: 'DELETE',
    paths: ['/api/corpora/:id'],
    docs: {
      tags: TAGS,
      operationId: 'deleteCorpus',
      summary: 'Delete a corpus of the account',
      params: IdParameter,
      ok: DeletedAnswer,
      errors: ['not_found'],
    },
    auth: AUTH,
    body: noBody,
    run: ({ caller, id }) => corpora.delete(caller.account.id, id),
    answer: () => ({ success: true }),
  });
}

function addChangingRoutes(addRoute: AddRoute, { limitUploads, corpora }: RouteDeps): void {
  const limits = limitUploads(MAX_CORPUS_BYTES);
  addRoute({
    method: 'POST',
    paths: ['/api/corpora'],
    docs: {
      tags: TAGS,
      operationId: 'createCorpus',
      summary: 'Create a corpus',
      description:
        'As JSON, as a form with a file, or as tab-separated text with the other fields in the query. Only the account sees it.',
      querystring: CreateQuery,
      ok: CorpusAnswer,
      errors: [...CHANGE_ERRORS, 'missing_file'],
    },
    auth: AUTH,
    body: corpusBody(CREATE_BODIES, limits),
    async run({ caller, input: { fields, entries }, request }) {
      const { name, description = '', language = null } = fields;
      if (name === undefined) throw new AppError('invalid_request', 'The field "name" is missing.');
      if (entries === null) {
        throw request.isMultipart()
          ? new AppError('missing_file', 'Send the corpus as a file in the form field "data".')
          : new AppError('invalid_request', 'The field "entries" is missing.');
      }
      return corpora.create(caller.account.id, { name, description, language, entries }, textLimitBytes(caller.plan));
    },
    answer: viewAnswer,
  });
  addRoute({
    method: 'PUT',
    paths: ['/api/corpora/:id'],
    docs: {
      tags: TAGS,
      operationId: 'replaceCorpus',
      summary: 'Replace parts of a corpus of the account',
      description:
        'Absent fields stay as they are. The version increases, and cached results that used the corpus are no longer returned.',
      params: IdParameter,
      querystring: ReplaceQuery,
      ok: CorpusAnswer,
      errors: [...CHANGE_ERRORS, 'not_found'],
    },
    auth: AUTH,
    body: corpusBody(REPLACE_BODIES, limits),
    run({ caller, input: { fields, entries }, id }) {
      const { version = null, ...texts } = fields;
      const change = entries === null ? texts : { ...texts, entries };
      return corpora.replace(caller.account.id, id, change, version, textLimitBytes(caller.plan));
    },
    answer: viewAnswer,
  });
}

function viewAnswer(corpus: Corpus) {
  return { success: true, corpus: viewCorpus(corpus) };
}
