import { z } from 'zod';
import { READING_STYLES, writeReadings } from '#features/romanization/write-readings.ts';
import type { ServerDeps } from '#http/deps.ts';
import { choiceField, apiKeyField, parseFields } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { speechTextField } from '#http/synthesis/speech-text-field.ts';
import { readText } from '#workers/tasks/read-text.ts';

const TAGS = ['Speech'];
/** A server that only this machine can reach needs no key, as the hosted service does. */
const AUTH = { scope: null, rateLimit: 'request', keyless: 'locally' } as const;
const STYLE = {
  default: 'text',
  description:
    '`text`: `nei5 hou2`; `list`: one entry for each character; `annotated`: `你(nei5)好(hou2)`; `initial_format`: `n-ei5 h-ou2`; `ipa`, `ipa_list`, `ipa_text`: the same in the International Phonetic Alphabet.',
} as const;

/** Some clients send every field they know. */
const NULLABLE = { type: ['string', 'null'], enum: [...READING_STYLES, null] };

const Body = z.object({
  api_key: apiKeyField,
  text: speechTextField('A Cantonese text, or SSML.'),
  outputType: choiceField(READING_STYLES, { ...STYLE, ...NULLABLE }),
});

const Query = z.looseObject({
  text: speechTextField('A Cantonese text, or SSML.'),
  outputType: choiceField(READING_STYLES, { ...STYLE, description: 'As of romanizeText.' }),
});

const Readings = z
  .object({
    success: z.literal(true),
    result: z
      .union([
        z.string(),
        z.array(z.object({ character: z.string(), jyutping: z.string().nullable() })),
        z.array(z.object({ character: z.string(), ipa: z.string().nullable() })),
      ])
      .meta({ id: 'ReadingsOfText' }),
  })
  .meta({ id: 'Readings' });

const DESCRIPTION = `How this service speaks the text: in context, with numbers read out, and words of the account's corpora as these say. Characters that are not read in
Cantonese have none. Free.`;

type RouteDeps = Pick<ServerDeps, 'corpora' | 'workers'>;

/** POST /api/text-to-jyutping, and GET /api/jyutping, which answers in plain text. */
export function addRomanizationRoutes(addRoute: AddRoute, { corpora, workers }: RouteDeps): void {
  const read = async (text: string, accountId: string) =>
    workers.run(readText, { text, lexicon: await corpora.lexicon(accountId, null, text) }, accountId);
  addRoute({
    method: 'POST',
    paths: ['/api/text-to-jyutping', '/text-to-jyutping'],
    docs: {
      tags: TAGS,
      operationId: 'romanizeText',
      summary: 'The jyutping of a text',
      description: DESCRIPTION,
      ok: Readings,
      errors: ['timed_out'],
    },
    auth: AUTH,
    body: jsonBody(Body),
    async run({ caller, input: { text, outputType } }) {
      const parts = await read(text, caller.account.id);
      return { success: true, result: writeReadings(parts, outputType ?? 'text') };
    },
  });
  addRoute({
    method: 'GET',
    paths: ['/api/jyutping'],
    docs: {
      tags: TAGS,
      operationId: 'romanizeTextPlainly',
      summary: 'The jyutping of a text, as plain text',
      description: 'As romanizeText; lists are JSON.',
      querystring: Query,
      ok: {
        description: 'The readings.',
        content: { 'text/plain': { schema: z.string() }, 'application/json': { schema: Readings.shape.result } },
      },
      errors: ['timed_out'],
    },
    auth: AUTH,
    body: noBody,
    async run({ caller, request, reply }) {
      const { text, outputType } = parseFields(Query, request.query);
      const parts = await read(text, caller.account.id);
      const written = writeReadings(parts, outputType ?? 'text');
      return typeof written === 'string' ? reply.type('text/plain; charset=utf-8').send(`${written}\n`) : written;
    },
  });
}
