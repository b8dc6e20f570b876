import { z } from 'zod';
import type { Corpus, CorpusSummary } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { apiKeyField } from '#http/form-fields.ts';

const name = z.string().describe('For people; 1 to 200 characters.');
const description = z.string().describe('At most 2000 characters.');
const language = z.string().meta({ enum: [...LANGUAGES], description: 'Absent in a new corpus: cantonese.' });
const VERSION_RULE = 'The version that is to be replaced; 409 when it is not the present one any more. Absent: any.';
/** What both databases can compare with. */
const MAX_VERSION = 2 ** 31 - 1;

/** A field of a form or a query is text, and an empty one is as good as none. */
const versionText = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : Number(text)))
  .pipe(z.int().min(1).max(MAX_VERSION).optional())
  .meta({ type: 'integer', minimum: 1, description: VERSION_RULE });

const Entry = z
  .object({
    text: z.string().describe('A word or phrase as it is written; at most 40 characters.'),
    jyutping: z
      .string()
      .nullish()
      .describe('Its reading: one syllable for each Chinese character, with spaces. Absent: worked out from the text.'),
    weight: z.number().optional().describe('How strongly it is preferred, above 0 and at most 10. Absent: 1.'),
  })
  .meta({ id: 'CorpusEntryInput' });

const entries = z.array(Entry).max(20_000);
const tsv = z
  .string()
  .describe(
    'One entry a line: `text<TAB>jyutping<TAB>weight`, the last two optional; lines that begin with `#` are comments.',
  );
const file = z.file().meta({
  description: 'The entries, tab-separated or as JSON, decided by the content; UTF-8.',
  format: 'binary',
});

/** The bodies of POST by type, for the documentation. */
export const CREATE_BODIES = {
  'application/json': z.object({
    api_key: apiKeyField,
    name,
    description: description.optional(),
    language: language.optional(),
    entries,
  }),
  'text/tab-separated-values': tsv,
  'multipart/form-data': z.object({
    api_key: apiKeyField,
    name,
    description: description.optional(),
    language: language.optional(),
    data: file,
  }),
};

const version = z.int().min(1).max(MAX_VERSION).describe(VERSION_RULE);

/** The bodies of PUT by type, for the documentation. */
export const REPLACE_BODIES = {
  'application/json': CREATE_BODIES['application/json'].partial().extend({ version: version.optional() }),
  'text/tab-separated-values': tsv,
  'multipart/form-data': CREATE_BODIES['multipart/form-data'].partial().extend({ version: versionText.optional() }),
};

/** What the query says where the body is nothing but entries, for the documentation. */
export const CreateQuery = z.object({
  name: name.optional().describe('With a tab-separated body: the name.'),
  description: description.optional().describe('The same.'),
  language: language.optional(),
});
export const ReplaceQuery = CreateQuery.extend({ version: versionText.optional() });

export const IdParameter = z.object({ id: z.string().describe('The id of a corpus.') });

const texts = { name: z.string().optional(), description: z.string().optional(), language: z.string().optional() };
// The entries are checked elsewhere, where the message can say which of them is wrong.
const JsonBody = z.object({ ...texts, version: version.nullish(), entries: z.unknown().optional() });
const TextFields = z.object({ ...texts, version: versionText.optional() });

export type CorpusFields = { name?: string; description?: string; language?: string; version?: number };

/** A JSON body; `entries` as sent, undefined when absent. Throws `invalid_request` that names the field. */
export function parseJsonBody(body: unknown): { fields: CorpusFields; entries: unknown } {
  const { entries, ...fields } = check(JsonBody, body);
  return { fields: withoutAbsent(fields), entries };
}

/** The fields of a form or a query. Throws `invalid_request` that names the field. */
export function parseTextFields(fields: unknown): CorpusFields {
  return withoutAbsent(check(TextFields, fields));
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'is not valid';
  throw new AppError('invalid_request', path === '' ? `The body: ${message}.` : `The field "${path}": ${message}.`);
}

function withoutAbsent({
  name,
  description,
  language,
  version,
}: {
  [Name in keyof CorpusFields]?: CorpusFields[Name] | null | undefined;
}): CorpusFields {
  return {
    ...(name === undefined || name === null ? {} : { name }),
    ...(description === undefined || description === null ? {} : { description }),
    ...(language === undefined || language === null ? {} : { language }),
    ...(version === undefined || version === null ? {} : { version }),
  };
}

const SummaryView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    language: z.enum(LANGUAGES),
    public: z.boolean().describe('Shipped with the service: everybody may use it and nobody can change it.'),
    version: z.int().describe('Counts the changes from 1.'),
    entries_count: z.int(),
  })
  .meta({ id: 'CorpusSummary' });

const CorpusView = SummaryView.extend({
  entries: z.array(z.object({ text: z.string(), jyutping: z.string().nullable(), weight: z.number() })),
}).meta({ id: 'Corpus' });

const success = z.literal(true);
export const CorporaAnswer = z.object({ success, corpora: z.array(SummaryView) });
export const CorpusAnswer = z.object({ success, corpus: CorpusView });
export const DeletedAnswer = z.object({ success });

export function viewSummary(corpus: CorpusSummary): z.output<typeof SummaryView> {
  const { id, name, description, language, accountId, version, entriesCount } = corpus;
  return { id, name, description, language, public: accountId === null, version, entries_count: entriesCount };
}

export function viewCorpus(corpus: Corpus): z.output<typeof CorpusView> {
  const entries = corpus.entries.map(({ text, jyutping, weight }) => ({ text, jyutping, weight }));
  return { ...viewSummary({ ...corpus, entriesCount: entries.length }), entries };
}
