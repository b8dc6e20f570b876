import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { joinCommonErrors } from './openapi-errors.ts';
import { operationsOf, shareComponents } from './openapi-components.ts';
import { shareFields } from './openapi-fields.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Other paths that answer alike. */
    'x-aliases'?: readonly string[];
  }
  interface FastifyContextConfig {
    /** The fields of a multipart form, for the documentation; the pipeline reads the form. */
    form?: z.ZodType;
    /** Bodies by content type, for the documentation. */
    bodies?: Readonly<Record<string, z.ZodType>>;
    /** A body that works as it is; without one, /docs makes one of the limits of the fields. */
    bodyExample?: object;
    /** Additional headers of an answer with status 200, for the documentation. */
    answerHeaders?: Readonly<Record<string, AnswerHeader>>;
  }
}

type AnswerHeader = { description: string; type: 'string' | 'integer' | 'number'; const?: string | number };

/** A key in a header; for `security` of a route. */
export const HEADER_KEY = [{ apiKeyHeader: [] }, { bearer: [] }];
/** Some routes need no key where only this machine reaches the service. */
export function securityOf<Security>(
  { auth, body }: { auth: { keyless?: 'locally' }; body: { security: readonly Security[] } },
  isLocal: boolean,
) {
  return auth.keyless === 'locally' && isLocal ? [{}, ...body.security] : body.security;
}

/** A key in a header or in the field `api_key`, for which OpenAPI has no security scheme. */
export const HEADER_OR_FIELD_KEY = [...HEADER_KEY, {}];

const DESCRIPTION = `Speech service for Cantonese.

Every request needs an API key: the header \`x-api-key\`, \`Authorization: Bearer\`, or the body's field \`api_key\`. When
several are sent, the field wins where it is documented, elsewhere \`x-api-key\`. The lists of voices and models for speech and the jyutping of
a text need none when the server listens on an address of its own machine.

Every answer carries \`X-Request-Id\`; answers to a known key carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\` (seconds until the whole limit is available again). Limits are per account and minute; polls have a limit of their own.`;

/**
 * Adds the defaults of transformed fields from their metadata. zod omits them, because the input of
 * a form's boolean `false` is the text "false".
 */
const toJsonSchema = createJsonSchemaTransform({
  zodToJsonConfig: {
    override: ({ zodSchema, jsonSchema }) => {
      const named = z.core.globalRegistry.get(zodSchema)?.['default'];
      if (named !== undefined) jsonSchema.default = named;
    },
  },
});

/** Generates /openapi.json from the schemas of the routes. Register before the routes. */
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
        {
          name: 'Speech-to-text',
          description: 'Transcription of recordings: wait for the result, or submit and poll.',
        },
        { name: 'Live', description: 'Transcription while people speak, over WebSocket.' },
        { name: 'Speech', description: 'Synthesis of speech: streaming, or one complete file.' },
        { name: 'Voices', description: 'Voices for synthesis: shipped ones, and those that an account creates.' },
        { name: 'Pronunciation', description: 'Comparison of a recording with its text: scores and deviations.' },
        {
          name: 'Corpora',
          description: 'Likely words and phrases, which bias the correction of transcripts.',
        },
        {
          name: 'Video summary',
          description: 'The transcript of a video and a summary in one of five languages.',
        },
        {
          name: 'OpenAI-compatible',
          description: 'For OpenAI client libraries, with the same keys, quotas and errors.',
        },
        { name: 'Programs', description: 'For assistants that call tools.' },
        { name: 'Account', description: "The caller's own account." },
        { name: 'Administration', description: 'Accounts and keys; for keys with the scope `admin`.' },
        { name: 'Server', description: 'Health and metrics; /metrics may need a key with the scope `admin`.' },
      ],
    },
    transform: (input) => {
      if (input.schema.hide === true) return toJsonSchema(input);
      const form = input.route.config?.form;
      const schema =
        form === undefined ? input.schema : { ...input.schema, consumes: ['multipart/form-data'], body: form };
      const transformed = withAnswerHeaders(toJsonSchema({ ...input, schema }), input.route.config?.answerHeaders);
      const bodies = Object.entries(input.route.config?.bodies ?? {});
      if (bodies.length === 0) return transformed;
      const example = input.route.config?.bodyExample;
      const content = bodies.map(([type, body]) => {
        const { schema } = toJsonSchema({ ...input, schema: { body } });
        const documented = schema?.body as object | undefined;
        return [type, { schema: example === undefined ? documented : { ...documented, examples: [example] } }];
      });
      return { ...transformed, schema: { ...transformed.schema, body: { content: Object.fromEntries(content) } } };
    },
    transformObject(input) {
      const document = withOptionalBodies(withResponseHeaders(jsonSchemaTransformObject(input)));
      withoutNoise(document);
      shareFields(withoutUnusedInputs(document));
      return shareComponents(withCommonSecurity(document));
    },
  });
  app.get('/openapi.json', { schema: { hide: true }, config: { whileStarting: true } }, async () => app.swagger());
}

/** Adds headers where @fastify/swagger reads them; the zod transform omits them. */
function withAnswerHeaders<Transformed extends { schema: FastifySchema }>(
  transformed: Transformed,
  headers: object | undefined,
): Transformed {
  if (headers === undefined) return transformed;
  const { schema } = transformed;
  const response = schema.response as Record<string, object>;
  return { ...transformed, schema: { ...schema, response: { ...response, 200: { ...response['200'], headers } } } };
}

type Document = ReturnType<typeof jsonSchemaTransformObject>;

const integer = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

/**
 * Removes the variants of schemas for requests or answers that none uses: the transform makes both
 * of every schema, and generated clients would have each type twice.
 */
function withoutUnusedInputs(document: Document): Document {
  const { schemas = {} } = (document as { components?: { schemas?: Record<string, unknown> } }).components ?? {};
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter(
      (name) => (name.endsWith('Input') || text.includes(`/${name}Input"`)) && !text.includes(`/${name}"`),
    );
    if (unused.length === 0) return document;
    for (const name of unused) delete schemas[name];
  }
}

/**
 * Adds the headers of errors. Those that all answers have are described once, at the beginning and
 * at the errors of any request.
 */
function withResponseHeaders(document: Document): Document {
  const rate = {
    'X-RateLimit-Limit': integer('Requests per minute.'),
    'X-RateLimit-Remaining': integer('Requests that are allowed now.'),
    'X-RateLimit-Reset': integer('Seconds until the whole limit is available again.'),
  };
  for (const { security, responses } of operationsOf(document)) {
    joinCommonErrors(responses);
    for (const [status, response] of Object.entries(responses)) {
      const isRefusal = status === '429' || status === 'default';
      const isPassing = status === '503' || String(response['description']).includes('`request_in_progress`');
      if (response['description'] === 'Default Response') response['description'] = 'OK';
      const id = { description: 'The id of this request.', schema: { type: 'string' as const } };
      const headers = {
        ...(status === 'default' ? { 'X-Request-Id': id } : {}),
        ...(security !== undefined && isRefusal ? rate : {}),
        ...(isRefusal || isPassing ? { 'Retry-After': integer('Seconds to wait.') } : {}),
        ...response.headers,
      };
      if (Object.keys(headers).length > 0) response.headers = headers;
    }
  }
  return document;
}

type JsonBody = { required?: boolean; content?: Record<string, { schema?: { anyOf?: { type?: string }[] } }> };

/** A body that may be null may be left out. */
function withOptionalBodies(document: Document): Document {
  for (const { requestBody } of operationsOf(document) as { requestBody?: JsonBody }[]) {
    const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
    const mayBeNull = schemas.some((schema) => schema?.anyOf?.some(({ type }) => type === 'null'));
    if (requestBody !== undefined && mayBeNull) requestBody.required = false;
  }
  return document;
}

/** States how most operations take their key once, and beside the others what differs. */
function withCommonSecurity(document: Document): Document {
  const common = JSON.stringify(HEADER_KEY);
  for (const operation of operationsOf(document)) {
    if (JSON.stringify(operation.security) === common) delete operation.security;
    else operation.security ??= [];
  }
  return Object.assign(document, { security: HEADER_KEY });
}

/**
 * Removes what zod adds and generated clients should not have: patterns beside a format, which are
 * longer than the rest of the document, the promise that answers never get another field, the
 * largest numbers of JavaScript, and the type of a constant truth value.
 */
function withoutNoise(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Record<string, unknown>;
  if (typeof schema['format'] === 'string' && typeof schema['pattern'] === 'string') delete schema['pattern'];
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (typeof schema['const'] === 'boolean') delete schema['type'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  Object.values(node).forEach(withoutNoise);
}
