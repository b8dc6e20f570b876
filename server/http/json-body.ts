import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import { bodyKey, headerKey, type Caller } from './authentication.ts';
import { parseFields } from './fields.ts';
import { outlineJsonInTurns, parseJsonInTurns } from '#features/json-in-turns.ts';
import { excessOf, outlineJson, type JsonLimits, type JsonOutline } from '#features/json-outline.ts';
import { HEADER_KEY, HEADER_OR_FIELD_KEY } from './openapi.ts';
import { openBody } from './read-body.ts';
import type { BodyReader, UnreadRequest } from './route.ts';

/** Read and parsed of a body before its key is known. */
const BYTES_BEFORE_KEY = 64 * 1024;
const MAX_BODY_BYTES = 1024 ** 2;
const LIMITS: JsonLimits = { depth: 64, values: 10_000 };

const RESERVED_NAME = /"__proto__"\s*:/;

type KeyedBodyOptions = {
  /** The place of the key that wins when two are sent. */
  keyFirst?: 'body' | 'header';
  /** The largest body in bytes; null reads only the start of the body, for its key. */
  maxBytes?: number | null;
  maxValues?: number;
  /** Refuses the field name `__proto__` anywhere. */
  isStrict?: boolean;
  /** Throws what is wrong with a malformed body whose key cannot be read. */
  refuse?(body: KeyedBody): unknown;
};

/** A body whose key was accepted. */
export type KeyedBody = {
  bytes: Buffer;
  /** The JSON object in it. Throws `invalid_request` or `unsupported_media_type`. */
  object(): object;
};

/**
 * Reads a body that is not a form. The key is in a header or the field `api_key`; more than the
 * first 64 KiB are read only with a valid one. Reports the content only after the key, except for a
 * malformed body that seems to contain a key.
 */
export async function readKeyedBody(
  { request, authorize, pace }: UnreadRequest,
  {
    keyFirst = 'body',
    maxBytes = MAX_BODY_BYTES,
    maxValues = LIMITS.values,
    isStrict = false,
    refuse = ({ object }) => object(),
  }: KeyedBodyOptions,
): Promise<KeyedBody & { caller: Caller }> {
  const inHeader = headerKey(request);
  // A bad key is refused before anything is read.
  if (keyFirst === 'header' && inHeader !== null) await authorize(inHeader);
  const secretOf = (inBody: string | null) => (keyFirst === 'body' ? (inBody ?? inHeader) : (inHeader ?? inBody));

  const body = openBody(request.raw, pace);
  let { bytes, isWhole } = await body.readTo(BYTES_BEFORE_KEY);
  const start = decode(bytes.subarray(0, BYTES_BEFORE_KEY));
  const limits = { ...LIMITS, values: maxValues };
  if (!isWhole && maxBytes !== null) {
    const secret = secretOf(outlineJson(start, limits).apiKey);
    if (secret === null) throw missingInStart();
    await authorize(secret);
    if (Number(request.headers['content-length']) > maxBytes) throw tooLarge();
    ({ bytes, isWhole } = await body.readTo(maxBytes));
    if (!isWhole) throw tooLarge();
  }
  const parsed = await parseJson(isWhole ? decode(bytes) : start, request, { ...limits, isStrict });
  const secret = secretOf(parsed.apiKey);
  const read: KeyedBody = {
    bytes,
    object() {
      if (parsed.refusal !== null) throw parsed.refusal;
      return parsed.object;
    },
  };
  if (secret === null && parsed.refusal !== null && start.includes('api_key')) await refuse(read);
  return { caller: await authorize(secret), ...read };
}

type JsonBodyOptions = Pick<KeyedBodyOptions, 'keyFirst' | 'maxValues'> & {
  maxBytes?: number;
  /** A body that works as it is, for the documentation. */
  example?: object;
  /** The schema for the documentation, when `run` checks parts of the body itself. */
  documented?: z.ZodType;
};

/** A JSON object, whatever content type it declares: `curl -d` without a header declares a form. */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  { example, documented = schema, ...options }: JsonBodyOptions = {},
): BodyReader<z.output<Schema>> {
  return {
    security: HEADER_OR_FIELD_KEY,
    config: { bodies: { 'application/json': documented }, ...(example === undefined ? {} : { bodyExample: example }) },
    async read(unread) {
      const { caller, object } = await readKeyedBody(unread, options);
      return { caller, input: parseFields(schema, object()) };
    },
  };
}

/** A body that must be declared as JSON, and is documented and checked as such. */
export function strictJsonBody<Schema extends z.ZodType>(schema: Schema): BodyReader<z.output<Schema>> {
  return {
    security: HEADER_KEY,
    schema,
    async read(unread) {
      const { caller, bytes, object } = await readKeyedBody(unread, { keyFirst: 'header', isStrict: true });
      const isDeclared = unread.request.headers['content-type'] !== undefined;
      if (bytes.length === 0 && !isDeclared) return { caller, input: parseFields(schema, undefined) };
      if (!isDeclaredAsJson(unread.request)) throw notJson();
      return { caller, input: parseFields(schema, object()) };
    },
  };
}

/** Reads a JSON body for its key alone. */
export const keyInJsonBody: BodyReader<undefined> = {
  security: HEADER_KEY,
  async read(unread) {
    const { caller } = await readKeyedBody(unread, { keyFirst: 'header', maxBytes: null });
    return { caller, input: undefined };
  },
};

export function isDeclaredAsJson({ headers }: FastifyRequest): boolean {
  return (headers['content-type'] ?? '').toLowerCase().includes('json');
}

type ParsedJson = Pick<JsonOutline, 'apiKey'> & ({ object: object; refusal: null } | { refusal: AppError });

type ParsingLimits = JsonLimits & { isStrict: boolean };

async function parseJson(text: string, request: FastifyRequest, limits: ParsingLimits): Promise<ParsedJson> {
  const { exceeded, apiKey, lists } = await outlineJsonInTurns(text, limits);
  const refuse = (message: string) => ({ apiKey, refusal: new AppError('invalid_request', message) });
  if (text.trim() === '') return refuse('The body is empty; send a JSON object.');
  if (exceeded !== null) return refuse(`The body ${excessOf(exceeded, limits)}.`);
  try {
    const value: unknown = await parseJsonInTurns(text, lists);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refuse('The body is not a JSON object.');
    }
    await yieldToEventLoop();
    if (limits.isStrict && RESERVED_NAME.test(text)) return refuse('The body has a field with a reserved name.');
    return { apiKey: bodyKey(value), object: value, refusal: null };
  } catch {
    if (request.headers['content-type'] === undefined || isDeclaredAsJson(request)) {
      return refuse('The body is not valid JSON.');
    }
    return { apiKey, refusal: notJson() };
  }
}

/** The text of a body without its byte order mark. */
function decode(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function notJson(): AppError {
  return new AppError(
    'unsupported_media_type',
    'Send the fields as a JSON object with "Content-Type: application/json".',
  );
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The body is larger than this endpoint accepts.');
}

function missingInStart(): AppError {
  return new AppError(
    'missing_api_key',
    `The first ${BYTES_BEFORE_KEY / 1024} KiB of the body have no API key; send it as the first field "api_key" or in the header "x-api-key".`,
  );
}
