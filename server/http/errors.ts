import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import { lingerAfterReply } from './drain-body.ts';

/**
 * The body of every answer that is not 200, and of those with 200 that callers are to look at themselves. `message` is there three times
 * because clients in the field read three places.
 */
export type ErrorBody = {
  success: false;
  message: string;
  error: { code: ErrorCode; type: string; message: string };
  request_id: string;
};

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { code, type, message } = error;
  return { success: false, message, error: { code, type, message }, request_id: requestId };
}

/** When `Retry-After` is worth saying though the thrower did not. */
const DEFAULT_RETRY_SECONDS: Partial<Record<ErrorCode, number>> = { service_unavailable: 5, engine_unavailable: 60 };

/** The one place where an error becomes an answer. */
export function replyWithError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAnswer(thrown);
  logError(error, request);
  lingerAfterReply(request, reply);
  const retryAfterSeconds = error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[error.code];
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(error, request.id));
}

/** States that a running service comes into: worth a line, but no stack and nobody's sleep. */
const EXPECTED_STATES: ReadonlySet<ErrorCode> = new Set(['service_unavailable', 'engine_unavailable', 'timed_out']);

/** Tells the log of a failed request what the answer cannot tell; also where the answer was begun already. */
export function logError(error: AppError, { id: requestId, log }: Pick<FastifyRequest, 'id' | 'log'>): void {
  const { code, cause } = error;
  if (error.status === 200 && error.type === 'server_error') {
    // The caller is told nothing but a fixed sentence: only here does the operator learn what would help.
    log.warn({ requestId, code, reason: reasonOf(cause) }, 'request not served');
  } else if (error.status < 500) {
    log.debug({ requestId, code, err: cause }, 'request refused');
  } else if (EXPECTED_STATES.has(code)) {
    const reason = cause instanceof Error ? cause.message : error.message;
    log.warn({ requestId, code, reason }, 'request not served');
  } else {
    log.error({ requestId, code, err: cause ?? error }, 'request failed');
  }
}

/** Causes of causes that are worth telling, and how much of each. */
const TOLD_CAUSES = 4;
const TOLD_CHARACTERS = 600;

/** A chain of causes in one line, without stacks. Messages of parsers quote what they could not read, which is the content of somebody. */
function reasonOf(cause: unknown): string {
  const told: string[] = [];
  let next = cause;
  for (let left = TOLD_CAUSES; left > 0 && next !== undefined && next !== null; left -= 1) {
    const line = textOf(next).replaceAll(/\s+/gu, ' ').slice(0, TOLD_CHARACTERS);
    if (line !== told.at(-1)) told.push(line);
    next = next instanceof Error ? next.cause : undefined;
  }
  return told.length === 0 ? 'not told' : told.join(': ');
}

function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause instanceof SyntaxError || cause.message === '' ? cause.name : cause.message;
}

/**
 * Bytes on a connection that are not HTTP never become a request, so Fastify's own error road is not taken.
 * The answer has the same body as everywhere.
 */
export function replyToBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const id = randomUUID();
  const refusal = new AppError('invalid_request', 'This is not a well-formed HTTP request.');
  const body = JSON.stringify(errorBody(refusal, id));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Not at once: a reset would overtake the answer.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Errors of Fastify and its multipart parser that are not told by their status alone. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string?]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'This endpoint does not read that Content-Type.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this endpoint accepts.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_request', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'The body is not valid JSON.'],
  // Nothing has an id of hundreds of characters.
  FST_ERR_MAX_PARAM_LENGTH: ['not_found'],
  FST_ERR_BAD_URL: ['invalid_request', 'The address is malformed.'],
  FST_PARTS_LIMIT: ['invalid_request', 'The form has too many parts.'],
  FST_FIELDS_LIMIT: ['invalid_request', 'The form has too many fields.'],
  FST_FILES_LIMIT: ['invalid_request', 'The form has too many files.'],
  FST_PROTO_VIOLATION: ['invalid_request', 'The form has a field with a reserved name.'],
  FST_INVALID_JSON_FIELD_ERROR: ['invalid_request', 'A form field that is declared as JSON is not valid JSON.'],
  FST_MP_PREMATURE_CLOSE: ['client_closed_request'],
};

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'service_unavailable',
};

/** Whatever was thrown, as one of the catalogue. What nobody foresaw is `internal_error`, its details for the log alone. */
function toAnswer(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const issue = thrown.validation[0];
    const path = issue?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? '';
    const message = issue?.message ?? 'is not valid';
    return new AppError('invalid_request', path === '' ? `The body: ${message}.` : `The field "${path}": ${message}.`);
  }
  const { code, statusCode } = describe(thrown);
  const known = code === null ? undefined : FRAMEWORK_ERRORS[code];
  if (known !== undefined) return new AppError(known[0], known[1], { cause: thrown });
  const byStatus = statusCode === null ? undefined : BY_STATUS[statusCode];
  return new AppError(byStatus ?? 'internal_error', undefined, { cause: thrown });
}

function describe(thrown: unknown): { code: string | null; statusCode: number | null } {
  if (!(thrown instanceof Error)) return { code: null, statusCode: null };
  return {
    code: 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null,
    statusCode: 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null,
  };
}
