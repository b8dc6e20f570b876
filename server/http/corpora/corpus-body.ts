import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import { readCorpusEntries, readCorpusFile } from '#features/corpora/corpus-file.ts';
import { formBody, type UploadLimits } from '#http/form-body.ts';
import type { BodyReader } from '#http/route.ts';
import { parseJsonBody, parseTextFields, type CorpusFields } from './schema.ts';

/** A corpus as JSON or as a file. */
export const MAX_CORPUS_BYTES = 5 * 1024 ** 2;
/** The type of a body that contains only entries; the other fields are in the query. */
export const TSV_TYPE = 'text/tab-separated-values';

const FORM_FIELDS: ReadonlySet<string> = new Set(['api_key', 'name', 'description', 'language', 'version']);

/** `entries` null: none were sent. */
type SentCorpus = { fields: CorpusFields; entries: CorpusEntry[] | null };

/** A corpus as JSON, as tab-separated text or as a form with a file. */
export function corpusBody(bodies: Readonly<Record<string, z.ZodType>>, limits: UploadLimits): BodyReader<SentCorpus> {
  return formBody<SentCorpus>({
    docs: { bodies },
    fileField: 'data',
    fieldNames: FORM_FIELDS,
    limits,
    bodyLimit: MAX_CORPUS_BYTES,
    prepareOther(scope) {
      scope.addContentTypeParser(TSV_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      scope.removeContentTypeParser('text/plain');
    },
    parse: async ({ fields, file }) => ({
      fields: parseTextFields(Object.fromEntries(fields)),
      entries: file === null ? null : readCorpusFile(await readFile(file.path)),
    }),
    parseOther({ body, query }) {
      if (Buffer.isBuffer(body)) return { fields: parseTextFields(query), entries: readCorpusFile(body) };
      const { fields, entries } = parseJsonBody(body);
      return { fields, entries: entries === undefined ? null : readCorpusEntries(entries) };
    },
  });
}
