import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CorpusEntry } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { CORPUS_JSON_LIMITS, readCorpusEntries, readCorpusFile } from '#features/corpora/corpus-file.ts';
import { formBody } from '#http/form-body.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { isDeclaredAsJson } from '#http/json-body.ts';
import type { BodyReader } from '#http/route.ts';
import { parseJsonBody, parseTextFields, type CorpusFields } from './schema.ts';

/** A corpus as JSON or as a file. */
export const MAX_CORPUS_BYTES = 5 * 1024 ** 2;
const OTHER_TYPE = 'Send the corpus as JSON, as tab-separated text or as a form with a file.';
/** The type of a body that contains only entries; the other fields are in the query. */
export const TSV_TYPE = 'text/tab-separated-values';

const FORM_FIELDS: ReadonlySet<string> = new Set(['api_key', 'name', 'description', 'language', 'lang', 'version']);

/** `entries` null: none were sent. */
type SentCorpus = { fields: CorpusFields; entries: CorpusEntry[] | null };

function isTsv({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().startsWith(TSV_TYPE);
}

/** A corpus as JSON, as tab-separated text or as a form with a file. */
export function corpusBody(bodies: Readonly<Record<string, z.ZodType>>, limits: UploadLimits): BodyReader<SentCorpus> {
  return formBody<SentCorpus>({
    docs: { bodies },
    fileField: 'data',
    fieldNames: FORM_FIELDS,
    limits,
    otherLimits: { maxBytes: MAX_CORPUS_BYTES, maxValues: CORPUS_JSON_LIMITS.values, isStrict: true },
    parse: async ({ fields, file }) => ({
      fields: parseTextFields(Object.fromEntries(fields)),
      entries: file === null ? null : await readCorpusFile(await readFile(file.path)),
    }),
    isOtherType: isTsv,
    async parseOther(request, body) {
      if (isTsv(request)) {
        return { fields: parseTextFields(request.query), entries: await readCorpusFile(body.bytes) };
      }
      if ((request.headers['content-type'] ?? '') !== '' && !isDeclaredAsJson(request))
        throw new AppError('unsupported_media_type', OTHER_TYPE);
      const { fields, entries } = parseJsonBody(body.object());
      return { fields, entries: entries === undefined ? null : await readCorpusEntries(entries) };
    },
  });
}
