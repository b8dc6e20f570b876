import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';

/** A body that is no JSON object, kept until the key was checked: who has none is told about the key first. */
class NotAnObject {
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    this.refusal = refusal;
  }
}

/**
 * Reads the bodies of these routes as JSON, whatever type they declare (`curl -d` without a header declares a form); `jsonBody` gives them.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    done(null, parse(String(text), request.headers['content-type'] ?? ''));
  });
}

/** The fields of a body, checked against a schema. Throws `invalid_request` that names the first bad field. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema, { body }: FastifyRequest): z.output<Schema> {
  if (body instanceof NotAnObject) throw body.refusal;
  // No body at all is one without fields.
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'is not valid';
  throw new AppError('invalid_request', path === '' ? `The body ${message}.` : `The field "${path}" ${message}.`);
}

/**
 * Fields hold texts and numbers, and what somebody may nest in fields that nobody reads. Before any key was looked at, a body of lists in
 * each other would take a hundred times its size in memory, and most of a second, to be read.
 */
const MAX_DEPTH = 64;

function parse(text: string, contentType: string): unknown {
  if (text.trim() === '')
    return new NotAnObject(new AppError('invalid_request', 'The body is empty; send a JSON object.'));
  if (isDeeperThan(MAX_DEPTH, text))
    return new NotAnObject(new AppError('invalid_request', `The body is nested more than ${MAX_DEPTH} levels deep.`));
  try {
    const body: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
    return new NotAnObject(new AppError('invalid_request', 'The body is not a JSON object.'));
  } catch {
    const isMeantAsJson = contentType === '' || contentType.includes('json');
    return new NotAnObject(
      isMeantAsJson
        ? new AppError('invalid_request', 'The body is not valid JSON.')
        : new AppError(
            'unsupported_media_type',
            'Send the fields as a JSON object with "Content-Type: application/json".',
          ),
    );
  }
}

/** By the brackets outside of strings, so also for what is no JSON. */
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

/** Where the quote is that ends the string; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
