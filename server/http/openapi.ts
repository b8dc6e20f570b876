import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode } from '@jyutsing/contracts/errors';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields of a multipart form. The handler reads the form itself, so this is for the documentation. */
    form?: z.ZodType;
    /** Bodies by type, where there are several and the handler checks them itself; for the documentation. */
    bodies?: Readonly<Record<string, z.ZodType>>;
    /** Headers of an answer with status 200 beside those of all answers, for the documentation. */
    answerHeaders?: Readonly<Record<string, AnswerHeader>>;
  }
}

type AnswerHeader = { description: string; type: 'string' | 'integer'; const?: string | number };

const ErrorAnswer = z
  .object({
    success: z.literal(false),
    message: z.string().describe('One sentence that a person can act on.'),
    error: z.object({
      code: z.string().describe('One of docs/errors.md; stable.'),
      type: z.string().describe('The family of the error.'),
      message: z.string(),
    }),
    request_id: z.string().describe('The same as the header X-Request-Id.'),
  })
  .meta({ id: 'Error' });

/** The answer to a request that cannot be served, for a route's `response`: one entry per status, its codes in the description. */
export function errorResponses(...codes: ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set<ErrorCode>([...codes, 'invalid_request', 'internal_error', 'service_unavailable'])) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: those.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].message}`).join(' '),
        content: { 'application/json': { schema: ErrorAnswer } },
      },
    ]),
  );
}

/** What every route that asks for a key may answer. */
export const KEY_ERRORS = [
  'missing_api_key',
  'invalid_api_key',
  'account_blocked',
  'insufficient_scope',
  'plan_required',
  'rate_limit_exceeded',
] as const satisfies ErrorCode[];

/** For a route's `security`: a key in a header. */
export const HEADER_KEY = [{ apiKeyHeader: [] }, { bearer: [] }];
/** The same, or the field `api_key` of the body, which OpenAPI cannot call a security scheme. */
export const HEADER_OR_FIELD_KEY = [...HEADER_KEY, {}];

const DESCRIPTION = `Speech service for Cantonese.

Every request needs an API key: the header \`x-api-key\`, \`Authorization: Bearer\`, or the body's field \`api_key\`. Where an
endpoint's form or JSON has the field \`api_key\`, the field wins; elsewhere \`x-api-key\` does.

Every answer carries \`X-Request-Id\`; answers to a known key carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\` (seconds until the whole limit is there again). Limits are per account and minute, polls counted apart.`;

/**
 * zod leaves the default of a transformed field out (a form's `false` is the text "false" on its way in), so the one that
 * the field's description names is put back.
 */
const toJsonSchema = createJsonSchemaTransform({
  zodToJsonConfig: {
    override: ({ zodSchema, jsonSchema }) => {
      const named = z.core.globalRegistry.get(zodSchema)?.['default'];
      if (named !== undefined) jsonSchema.default = named;
    },
  },
});

/** Makes /openapi.json from the schemas that the routes validate with. Register before the routes. */
export function documentApi(app: FastifyInstance, version: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'jyutsing',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      components: {
        securitySchemes: {
          apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
      tags: [
        { name: 'Speech-to-text', description: 'Audio in, text out: blocking, or submit and poll.' },
        { name: 'Speech', description: 'Text in, audio out: streaming, or one complete file.' },
        { name: 'Voices', description: 'Whose voice is heard: those that ship, and those that an account makes.' },
        { name: 'Pronunciation', description: 'A recording against its text: scores, and what was said otherwise.' },
        {
          name: 'Corpora',
          description: 'Words and phrases that are likely to be said, which bias the correction of texts.',
        },
        {
          name: 'Video summary',
          description: 'What is said in a video, and a summary of it in one of five languages.',
        },
        { name: 'OpenAI-compatible', description: 'For clients of OpenAI: the same keys, quotas and errors.' },
        { name: 'Account', description: "The caller's own account." },
        { name: 'Administration', description: 'Accounts and keys; for keys with the scope `admin`.' },
        { name: 'Server', description: 'Health and metrics; no key needed.' },
      ],
    },
    transform: (input) => {
      const form = input.route.config?.form;
      const schema =
        form === undefined ? input.schema : { ...input.schema, consumes: ['multipart/form-data'], body: form };
      const transformed = withAnswerHeaders(toJsonSchema({ ...input, schema }), input.route.config?.answerHeaders);
      const bodies = Object.entries(input.route.config?.bodies ?? {});
      if (bodies.length === 0) return transformed;
      const content = bodies.map(([type, body]) => {
        const { schema } = toJsonSchema({ ...input, schema: { body } });
        return [type, { schema: schema?.body }];
      });
      return { ...transformed, schema: { ...transformed.schema, body: { content: Object.fromEntries(content) } } };
    },
    transformObject: (input) => withResponseHeaders(jsonSchemaTransformObject(input)),
  });
  app.get('/openapi.json', { schema: { hide: true }, config: { whileStarting: true } }, async () => app.swagger());
}

/** Where @fastify/swagger looks for them; what makes schemas of ours leaves them out. */
function withAnswerHeaders<Transformed extends { schema: FastifySchema }>(
  transformed: Transformed,
  headers: object | undefined,
): Transformed {
  if (headers === undefined) return transformed;
  const { schema } = transformed;
  const response = schema.response as Record<string, object>;
  return { ...transformed, schema: { ...schema, response: { ...response, 200: { ...response['200'], headers } } } };
}

type Operation = { security?: unknown; responses?: Record<string, { headers?: Record<string, unknown> }> };
const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'responses' in value;

type Document = ReturnType<typeof jsonSchemaTransformObject>;

const integer = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

/** The headers that all answers share, said once per response instead of once per route. */
function withResponseHeaders(document: Document): Document {
  const rate = {
    'X-RateLimit-Limit': integer('Requests a minute.'),
    'X-RateLimit-Remaining': integer('Requests that may follow at once.'),
    'X-RateLimit-Reset': integer('Seconds until the whole limit is there again.'),
  };
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path ?? {})) {
      if (!isOperation(operation)) continue;
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        response.headers = {
          'X-Request-Id': { description: 'Names this request.', schema: { type: 'string' } },
          ...(operation.security === undefined || status === '401' ? {} : rate),
          ...(status === '429' || status === '503' ? { 'Retry-After': integer('Seconds to wait.') } : {}),
          ...response.headers,
        };
      }
    }
  }
  return document;
}
