import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, UncertainCommit, type ErrorCode } from '@jyutsing/contracts/errors';
import { drainBody } from './drain-body.ts';

/**
 * The body of every answer other than 200, and of the failures of video summary with 200. The
 * sentence occurs in all places that existing clients read.
 */
type ErrorBody = {
  success: false;
  message: string;
  error: { code: ErrorCode; type: string; message: string };
  request_id: string;
};

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { code, type, message } = error;
  return { success: false, message, error: { code, type, message: explain(error) }, request_id: requestId };
}

/** The interface fixes the sentences of these. */
const FIXED: ReadonlySet<ErrorCode> = new Set([
  'caption_tracks_failed',
  'transcript_download_failed',
  'summary_failed',
]);

/**
 * Explains an error whose sentence is fixed with `error.message`. Only messages of AppErrors are
 * written for users; other causes stay in the log.
 */
function explain({ code, message, cause }: AppError): string {
  if (!FIXED.has(code)) return message;
  return cause instanceof AppError ? `${message}: ${cause.message.replace(/\.$/, '')}.` : message;
}

/** `Retry-After` of errors without a value of their own. */
const DEFAULT_RETRY_SECONDS: Partial<Record<ErrorCode, number>> = {
  request_in_progress: 1,
  service_unavailable: 5,
  engine_unavailable: 60,
};

/** Converts any error to an answer; `fields` stand beside it. */
export function replyWithError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: object = {},
): FastifyReply {
  const error = toAnswer(thrown);
  logError(error, request);
  drainBody(request, reply);
  const retryAfterSeconds = error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[error.code];
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...errorBody(error, request.id), ...fields });
}

/** Expected failures: logged as a warning, without a stack. */
const EXPECTED_STATES: ReadonlySet<ErrorCode> = new Set([
  'service_unavailable',
  'engine_unavailable',
  'timed_out',
  'outcome_unknown',
]);

/** Logs a failed request with its cause. */
export function logError(error: AppError, { id: requestId, log }: Pick<FastifyRequest, 'id' | 'log'>): void {
  const { code, cause } = error;
  if (error.status === 200 && error.type === 'server_error') {
    // The answer has a fixed sentence, so only the log has the cause.
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

/** Limits of a logged chain of causes. */
const MAX_CAUSES = 4;
const MAX_CAUSE_CHARACTERS = 600;

/**
 * A chain of causes in one line without stacks. Messages of parsers are left out, because they
 * quote user content.
 */
function reasonOf(cause: unknown): string {
  const lines: string[] = [];
  let next = cause;
  for (let left = MAX_CAUSES; left > 0 && next !== undefined && next !== null; left -= 1) {
    const line = textOf(next).replaceAll(/\s+/gu, ' ').slice(0, MAX_CAUSE_CHARACTERS);
    if (line !== lines.at(-1)) lines.push(line);
    next = next instanceof Error ? next.cause : undefined;
  }
  return lines.length === 0 ? 'unknown' : lines.join(': ');
}

function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause instanceof SyntaxError || cause.message === '' ? cause.name : cause.message;
}

/**
 * Answers malformed HTTP and headers that never end, for which Fastify creates no request, with the
 * body of all errors.
 */
export function replyToBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // After a timeout there may be an answer in progress, which a second one would damage.
  if (error.code === 'ECONNRESET' || !socket.writable || (isTimeout && socket.bytesWritten > 0)) {
    socket.destroy(error);
    return;
  }
  const refusal = isTimeout
    ? new AppError('request_timeout')
    : new AppError('invalid_request', 'The HTTP request is malformed.');
  const id = randomUUID();
  const body = JSON.stringify(errorBody(refusal, id));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Delayed, because a reset could arrive before the answer.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Errors of Fastify and its multipart parser whose status is not enough. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string?]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'This endpoint does not accept this Content-Type.'],
  // No id is that long.
  FST_ERR_MAX_PARAM_LENGTH: ['not_found'],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is malformed.'],
  FST_PARTS_LIMIT: ['invalid_request', 'The form has too many parts.'],
  FST_FIELDS_LIMIT: ['invalid_request', 'The form has too many fields.'],
  FST_FILES_LIMIT: ['invalid_request', 'The form has too many files.'],
  FST_PROTO_VIOLATION: ['invalid_request', 'The form has a field with a reserved name.'],
  FST_MP_PREMATURE_CLOSE: ['client_closed_request'],
};

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'service_unavailable',
};

/** Errors of a disk that is full or can no longer be written. */
const DISK_ERRORS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

/** Converts anything thrown to an AppError; unknown errors become `internal_error`. */
export function toAnswer(thrown: unknown): AppError {
  // Clients send a request again that was refused with 503, as nothing was done for it.
  if (thrown instanceof UncertainCommit) return new AppError('outcome_unknown', undefined, { cause: thrown });
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode } = describe(thrown);
  if (code !== null && DISK_ERRORS.has(code)) {
    return new AppError(
      'service_unavailable',
      'The disk of the server is full or cannot be written; try again later.',
      {
        cause: thrown,
      },
    );
  }
  const frameworkError = code === null ? undefined : FRAMEWORK_ERRORS[code];
  if (frameworkError !== undefined) return new AppError(frameworkError[0], frameworkError[1], { cause: thrown });
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
