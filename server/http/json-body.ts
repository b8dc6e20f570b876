import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { bodyKey, headerKey } from './authentication.ts';
import { parseFields } from './fields.ts';
import { HEADER_KEY, HEADER_OR_FIELD_KEY } from './openapi.ts';
import type { BodyReader } from './route.ts';

/** A body that is not a JSON object. Reported after the key was checked. */
class NotAnObject {
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    this.refusal = refusal;
  }
}

type JsonBodyOptions = {
  /** Where the key is looked for first. */
  keyFirst?: 'body' | 'header';
  bodyLimit?: number;
};

/**
 * A JSON object, whatever content type it declares: `curl -d` without a header declares a form.
 * The key is in a header or the field `api_key`.
 */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  { keyFirst = 'body', bodyLimit }: JsonBodyOptions = {},
): BodyReader<z.output<Schema>> {
  return {
    security: HEADER_OR_FIELD_KEY,
    config: { bodies: { 'application/json': schema } },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    prepare(scope: FastifyInstance) {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
        done(null, parse(String(text), request.headers['content-type'] ?? ''));
      });
    },
    async read(request, _reply, authorize) {
      const [inBody, inHeader] = [bodyKey(request), headerKey(request)];
      const caller = await authorize(keyFirst === 'body' ? (inBody ?? inHeader) : (inHeader ?? inBody));
      if (request.body instanceof NotAnObject) throw request.body.refusal;
      return { caller, input: parseFields(schema, request.body ?? {}) };
    },
  };
}

/** A body that must be declared as JSON, and is documented and checked as such. */
export function strictJsonBody<Schema extends z.ZodType>(schema: Schema): BodyReader<z.output<Schema>> {
  return {
    security: HEADER_KEY,
    schema,
    async read(request, _reply, authorize) {
      const caller = await authorize(headerKey(request) ?? bodyKey(request));
      return { caller, input: parseFields(schema, request.body) };
    },
  };
}

/** Reads a JSON body for its key alone. */
export const keyInJsonBody: BodyReader<undefined> = {
  security: HEADER_KEY,
  async read(request, _reply, authorize) {
    return { caller: await authorize(headerKey(request) ?? bodyKey(request)), input: undefined };
  },
};

/**
 * Limits the nesting of bodies. Without it, lists within lists would take a hundred times their
 * size in memory and most of a second to parse, before the key is checked.
 */
const MAX_DEPTH = 64;

function refuse(message: string): NotAnObject {
  return new NotAnObject(new AppError('invalid_request', message));
}

function parse(text: string, contentType: string): unknown {
  if (text.trim() === '') return refuse('The body is empty; send a JSON object.');
  if (isDeeperThan(MAX_DEPTH, text)) return refuse(`The body is nested more than ${MAX_DEPTH} levels deep.`);
  try {
    const body: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
    return refuse('The body is not a JSON object.');
  } catch {
    if (contentType === '' || contentType.includes('json')) return refuse('The body is not valid JSON.');
    return new NotAnObject(
      new AppError('unsupported_media_type', 'Send the fields as a JSON object with "Content-Type: application/json".'),
    );
  }
}

/** Counts brackets outside of strings, so it works for malformed JSON as well. */
function isDeeperThan(most: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= most; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
  }
  return depth > most;
}

/** Index of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
