/** Families of errors, as client libraries group them. */
type ErrorType =
  | 'authentication_error'
  | 'permission_error'
  | 'invalid_request_error'
  | 'rate_limit_error'
  | 'quota_error'
  | 'not_found_error'
  | 'server_error';

type CatalogueEntry = {
  status: number;
  type: ErrorType;
  /** Whether the same request may succeed later unchanged. */
  retryable: boolean;
  /** Default message: one sentence for the user. */
  message: string;
};

/** Every error that clients can receive. docs/errors.md lists the same; a test compares them. */
export const ERROR_CATALOGUE = {
  invalid_request: e(400, 'invalid_request_error', false, 'The request is malformed.'),
  missing_file: e(400, 'invalid_request_error', false, 'Send the audio as a file in the form field "data".'),
  text_not_readable: e(
    400,
    'invalid_request_error',
    false,
    'The text has no readable words in this language; send another text or set "language".',
  ),
  // Video summary answers 200 to these; the interface (section 7.1) fixes the sentences.
  invalid_video_link: e(200, 'invalid_request_error', false, 'Invalid YouTube URL or video ID'),
  no_subtitles: e(200, 'not_found_error', false, 'No subtitles available'),
  caption_tracks_failed: e(200, 'server_error', true, 'Failed to fetch caption tracks'),
  transcript_download_failed: e(200, 'server_error', true, 'Failed to download transcript'),
  empty_transcript: e(200, 'invalid_request_error', false, 'Empty transcript'),
  video_quota_exceeded: e(200, 'quota_error', false, 'quota_exceeded'),
  summary_failed: e(200, 'server_error', true, 'Failed to summarize'),
  missing_api_key: e(
    401,
    'authentication_error',
    false,
    'Send an API key in the field "api_key" or the header "x-api-key".',
  ),
  invalid_api_key: e(401, 'authentication_error', false, 'This API key is unknown or was revoked.'),
  account_blocked: e(401, 'authentication_error', false, 'This account is blocked; ask the operator of the service.'),
  insufficient_scope: e(403, 'permission_error', false, 'This API key has no permission for this endpoint.'),
  plan_required: e(403, 'permission_error', false, 'The plan of this account does not include this feature.'),
  not_found: e(404, 'not_found_error', false, 'There is nothing at this URL.'),
  model_not_found: e(404, 'not_found_error', false, 'This server has no model with this name.'),
  voice_not_found: e(
    404,
    'not_found_error',
    false,
    'There is no voice with this id; GET /api/voices lists the voices.',
  ),
  method_not_allowed: e(
    405,
    'invalid_request_error',
    false,
    'This URL does not support this method; see the header "Allow".',
  ),
  request_timeout: e(
    408,
    'invalid_request_error',
    true,
    'The request arrived too slowly; send it again over a faster connection.',
  ),
  conflict: e(409, 'invalid_request_error', false, 'The request conflicts with the current state.'),
  request_in_progress: e(
    409,
    'invalid_request_error',
    true,
    'A request with this Idempotency-Key is still running; wait until it has ended.',
  ),
  payload_too_large: e(413, 'invalid_request_error', false, 'The upload is larger than this service accepts.'),
  unsupported_media_type: e(
    415,
    'invalid_request_error',
    false,
    'This endpoint does not accept this Content-Type; speech-to-text takes multipart/form-data.',
  ),
  unsupported_audio_format: e(415, 'invalid_request_error', false, 'The file is not audio in an accepted format.'),
  range_not_satisfiable: e(416, 'invalid_request_error', false, 'The requested range is not in the file.'),
  invalid_parameter: e(422, 'invalid_request_error', false, 'A parameter has a value that is not allowed.'),
  corrupt_audio: e(422, 'invalid_request_error', false, 'The audio file is damaged or incomplete.'),
  empty_audio: e(422, 'invalid_request_error', false, 'The audio file contains no audio.'),
  no_speech: e(422, 'invalid_request_error', false, 'No speech was detected in the recording.'),
  audio_too_long: e(422, 'invalid_request_error', false, 'The recording is longer than this service accepts.'),
  unsuitable_sample: e(422, 'invalid_request_error', false, 'This recording is not suitable as a voice sample.'),
  rate_limit_exceeded: e(
    429,
    'rate_limit_error',
    true,
    'Too many requests; wait for the seconds in the header "Retry-After".',
  ),
  concurrency_exceeded: e(
    429,
    'rate_limit_error',
    true,
    'Too many requests at the same time; wait until one has ended.',
  ),
  quota_exceeded: e(429, 'quota_error', false, 'The monthly quota of this account is used up.'),
  storage_exceeded: e(
    429,
    'quota_error',
    false,
    'The plan stores no more for this account; delete transcriptions or word lists that are not needed.',
  ),
  client_closed_request: e(499, 'invalid_request_error', true, 'The client closed the connection before the answer.'),
  internal_error: e(500, 'server_error', true, 'Internal server error; quote the request id when you report it.'),
  outcome_unknown: e(
    500,
    'server_error',
    false,
    'The database was lost while it saved this request, which may have been done or not; look before you send it again, or send it with an Idempotency-Key.',
  ),
  engine_failed: e(500, 'server_error', false, 'The speech engine failed on this request.'),
  upstream_unavailable: e(502, 'server_error', true, 'The speech model cannot be reached; try again shortly.'),
  language_model_failed: e(502, 'server_error', true, 'The language model gave no usable answer; try again.'),
  language_model_required: e(
    503,
    'server_error',
    false,
    'This needs a language model: set LLM_BASE_URL and LLM_MODEL on the server.',
  ),
  engine_unavailable: e(503, 'server_error', true, 'No engine for this request is available on this server.'),
  service_unavailable: e(503, 'server_error', true, 'The service is starting or stopping; try again shortly.'),
  timed_out: e(503, 'server_error', true, 'The request exceeded its time limit.'),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/**
 * The only error that is thrown on purpose. Users see `message`, so it must contain no path, SQL or
 * stack; `cause` is only logged.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Sent as the header Retry-After. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message?: string, details: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message ?? ERROR_CATALOGUE[code].message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }

  get type(): ErrorType {
    return ERROR_CATALOGUE[this.code].type;
  }

  get retryable(): boolean {
    return ERROR_CATALOGUE[this.code].retryable;
  }
}

/**
 * The connection to the database was lost after a change was sent: it may be written or not, so
 * nothing that it needs may be deleted.
 */
export class UncertainCommit extends AppError {}

/**
 * After this time it is certain: PostgreSQL ends a transaction whose client is gone after 30 s,
 * and until then may still do a COMMIT that was sent.
 */
export const UNCERTAIN_FOR_MS = 40_000;

/**
 * The error of a failed summary. The interface fixes its message; `reason` is shown beside it, so
 * it must be a phrase of ours without text of the transcript or of an answer.
 */
export function summaryFailed(reason: string): AppError {
  return new AppError('summary_failed', undefined, { cause: new AppError('summary_failed', reason) });
}

/** Wraps anything but an AppError as the cause of an `internal_error`. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('internal_error', undefined, { cause: thrown });
}

/** An error between processes or in a record. */
export type SerializedError = { code: ErrorCode; message: string; retryAfterSeconds?: number };

export function serializeError(thrown: unknown): SerializedError {
  const error = toAppError(thrown);
  const { code, message, retryAfterSeconds } = error;
  return { code, message, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) };
}

export function deserializeError(error: SerializedError): AppError {
  const { code, message, retryAfterSeconds } = error;
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new AppError(Object.hasOwn(ERROR_CATALOGUE, code) ? code : 'internal_error', message, details);
}

function e(status: number, type: ErrorType, retryable: boolean, message: string): CatalogueEntry {
  return { status, type, retryable, message };
}
