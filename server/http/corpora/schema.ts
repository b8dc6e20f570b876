import { z } from 'zod';
import type { Corpus, CorpusSummary } from '@jyutsing/contracts/corpus';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { apiKeyField, nameField, parseFields } from '#http/fields.ts';

const name = nameField(200, 'Name of the corpus.');
const description = z.string().meta({ maxLength: 2_000 });
const language = z.string().meta({
  enum: [...LANGUAGES],
  description: 'By name or code. Default of a new corpus: cantonese. Also `lang`.',
});
const VERSION_RULE = 'The version to replace; 409 when it is not the current one any more. Absent: any.';
/** The largest integer of both databases. */
const MAX_VERSION = 2 ** 31 - 1;

/** Fields of a form or a query are texts; an empty one counts as absent. */
const versionText = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : Number(text)))
  .pipe(z.int().min(1).max(MAX_VERSION).optional())
  .meta({ type: 'integer', minimum: 1, description: VERSION_RULE });

export const Entry = z
  .object({
    text: z.string().describe('A word or phrase, at most 40 characters.'),
    jyutping: z
      .string()
      .nullish()
      .describe(
        'Its reading: one syllable for each Chinese character, separated by spaces; any number, for speech alone, without such characters. Absent: derived from the text.',
      ),
    weight: z.number().optional().describe('Strength of the preference, above 0 and at most 10. Absent: 1.'),
  })
  .meta({ id: 'CorpusEntry' });

const entries = z.array(Entry).max(20_000);
const tsv = z
  .string()
  .describe(
    'One entry a line: `text<TAB>jyutping<TAB>weight`, the last two optional; lines that begin with `#` are comments.',
  );
const file = z.file().meta({
  description: 'The entries in UTF-8, tab-separated or as JSON; the content decides.',
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
  'application/json': CREATE_BODIES['application/json'].partial().extend({ version: version.nullish() }),
  'text/tab-separated-values': tsv,
  'multipart/form-data': CREATE_BODIES['multipart/form-data'].partial().extend({ version: versionText.optional() }),
};

/** The fields of a query beside a tab-separated body, for the documentation. */
export const CreateQuery = z.object({
  name: z.string().optional().describe('With a tab-separated body.'),
  description: z.string().optional().describe('With a tab-separated body.'),
  language: language.optional(),
});
export const ReplaceQuery = CreateQuery.extend({ version: versionText.optional() });

export const IdParameter = z.object({ id: z.string().describe('The id of a corpus.') });

const text = z.string().optional();
const texts = { name: text, description: text, language: text, lang: text };
// The entries are checked by readCorpusEntries, whose messages name the wrong entry.
const JsonBody = z.object({ ...texts, version: version.nullish(), entries: z.unknown().optional() });
const TextFields = z.object({ ...texts, version: versionText.optional() });

export type CorpusFields = { name?: string; description?: string; language?: string; version?: number };

/** `entries` undefined: absent. Throws `invalid_request` that names the field. */
export function parseJsonBody(body: unknown): { fields: CorpusFields; entries: unknown } {
  const { entries, ...fields } = parseFields(JsonBody, body);
  return { fields: withoutAbsent(fields), entries };
}

/** The fields of a form or a query. Throws `invalid_request` that names the field. */
export function parseTextFields(fields: unknown): CorpusFields {
  return withoutAbsent(parseFields(TextFields, fields));
}

type ParsedFields = {
  [Name in keyof CorpusFields]?: CorpusFields[Name] | null | undefined;
} & { lang?: string | undefined };

/** `lang` counts when `language` is absent or blank. */
function withoutAbsent({ name, description, version, ...languages }: ParsedFields): CorpusFields {
  const language = [languages.language, languages.lang].find((field) => (field ?? '').trim() !== '');
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
    public: z.boolean().describe('Shipped with the service: every account can use it, none can change it.'),
    version: z.int().describe('Starts at 1 and increases with every change.'),
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
