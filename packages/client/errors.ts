/** Details of a refused or failed request, as the server reports them. */
export type ErrorDetails = {
  /** Stable code for programs: a code of docs/errors.md, or one that this client makes. */
  code: string;
  /** The HTTP status; null when there was no answer. */
  status?: number | null;
  /** Value of the header X-Request-Id; quote it to the operator of the service. */
  requestId?: string | null;
  /** Value of the header Retry-After in seconds. */
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/**
 * Base class of all errors that this client throws, except the reason of the caller's own
 * AbortSignal.
 */
export class JyutsingError extends Error {
  override readonly name: string = 'JyutsingError';
  readonly code: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, { code, status, requestId, retryAfterSeconds, cause }: ErrorDetails) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status ?? null;
    this.requestId = requestId ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** 401: the key is missing, unknown or revoked, or its account is blocked. */
export class AuthenticationError extends JyutsingError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key lacks a scope, or the plan a feature. */
export class PermissionError extends JyutsingError {
  override readonly name = 'PermissionError';
}

/** 400, 409, 413, 415 or 422: the request must be changed. Also thrown for wrong arguments. */
export class InvalidRequestError extends JyutsingError {
  override readonly name = 'InvalidRequestError';
}

/** 404: there is no such record, voice, corpus, model, account or key. */
export class NotFoundError extends JyutsingError {
  override readonly name = 'NotFoundError';
}

/** 429: too many requests a minute or at a time; `retryAfterSeconds` tells how long to wait. */
export class RateLimitError extends JyutsingError {
  override readonly name = 'RateLimitError';
}

/** The quota of the account is used up until its period ends. */
export class QuotaError extends JyutsingError {
  override readonly name = 'QuotaError';
}

/** 5xx: the server failed, or cannot serve the request now. */
export class ServerError extends JyutsingError {
  override readonly name = 'ServerError';
}

/** No answer, or only a part of one: the network failed or the server ended. */
export class ConnectionError extends JyutsingError {
  override readonly name: string = 'ConnectionError';
}

/** Nothing was sent or received for the time of the option `timeout`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The transcription itself failed; `code` and message are those of its record. */
export class TranscriptionError extends JyutsingError {
  override readonly name = 'TranscriptionError';
}

const FAMILIES: Readonly<Record<string, typeof JyutsingError>> = {
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  invalid_request_error: InvalidRequestError,
  rate_limit_error: RateLimitError,
  quota_error: QuotaError,
  not_found_error: NotFoundError,
  server_error: ServerError,
};

/**
 * Makes an error of the class for a family of the server, or for a status when a proxy answered in
 * its place.
 */
export function errorOfFamily(type: string | undefined, message: string, details: ErrorDetails): JyutsingError {
  const Family = FAMILIES[type ?? ''] ?? byStatus(details.status ?? 0);
  return new Family(message, details);
}

function byStatus(status: number): typeof JyutsingError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : InvalidRequestError;
}
