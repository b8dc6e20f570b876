import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '@jyutsing/contracts/accounts';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import { readCorpusEntries, readCorpusFile } from '#features/corpora/corpus-file.ts';
import { bodyKey, headerKey, type Authenticator } from '#http/authentication.ts';
import { createFormAuthentication, type AnonymousUploads } from '#http/form-authentication.ts';
import type { HttpServices } from '#http/services.ts';
import { receiveUpload } from '#http/upload.ts';
import { parseJsonBody, parseTextFields, type CorpusFields } from './schema.ts';

/** Corpora are made and read by those who transcribe. */
export const CORPUS_ADMISSION = { scope: 'stt', counted: 'request' } as const;
/** A corpus, as JSON or as a file. */
export const MAX_CORPUS_BYTES = 5 * 1024 ** 2;
/** The type of a body that is nothing but entries; the rest is in the query. */
export const TSV_TYPE = 'text/tab-separated-values';

const FORM_FIELDS: ReadonlySet<string> = new Set(['api_key', 'name', 'description', 'language', 'version']);

/** What somebody who may send it says of a corpus. `entries` null: nothing. */
export type SentCorpus = { account: Account; fields: CorpusFields; entries: CorpusEntry[] | null };

export type ReceiveCorpus = (request: FastifyRequest, reply: FastifyReply) => Promise<SentCorpus>;

/**
 * Reads a corpus as JSON, as tab-separated text or as a form with a file. The key is checked before anything is said of the content.
 * Throws AppError, and leaves nothing behind.
 */
export function createCorpusReceiver(
  { config: { incomingDir } }: Pick<HttpServices, 'config'>,
  authenticator: Authenticator,
): ReceiveCorpus {
  const anonymous: AnonymousUploads = { held: 0, limit: 4 * MAX_CORPUS_BYTES };

  const receiveForm: ReceiveCorpus = async (request, reply) => {
    const authentication = createFormAuthentication(authenticator, CORPUS_ADMISSION, anonymous, request, reply);
    try {
      await using upload = await receiveUpload(request, {
        incomingDir,
        maxFileBytes: MAX_CORPUS_BYTES,
        fileField: 'data',
        fieldNames: FORM_FIELDS,
        beforeFile: authentication.beforeFile,
      });
      const { account } = await authentication.caller(upload.fields);
      const fields = parseTextFields(Object.fromEntries(upload.fields));
      const entries = upload.file === null ? null : readCorpusFile(await readFile(upload.file.path));
      return { account, fields, entries };
    } finally {
      authentication.release();
    }
  };

  return async (request, reply) => {
    if (request.isMultipart()) return receiveForm(request, reply);
    const { body, query } = request;
    const key = bodyKey(request) ?? headerKey(request);
    const { account } = await authenticator.admit(key, CORPUS_ADMISSION, request, reply);
    if (Buffer.isBuffer(body)) return { account, fields: parseTextFields(query), entries: readCorpusFile(body) };
    const { fields, entries } = parseJsonBody(body);
    return { account, fields, entries: entries === undefined ? null : readCorpusEntries(entries) };
  };
}
