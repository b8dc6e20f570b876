import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '#contracts/errors.ts';

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

function parse(text: string, contentType: string): unknown {
  if (text.trim() === '')
    return new NotAnObject(new AppError('invalid_request', 'The body is empty; send a JSON object.'));
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
