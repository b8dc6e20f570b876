import { AppError } from '@jyutsing/contracts/errors';
import { fetchErrorCode } from '#engines/runtime/fetch-error.ts';

/** Error messages for one use of a remote server. */
export type ServerRole = {
  /** Completes `The <name> did not answer …`. */
  name: string;
  /** Prefix of the operator's variables: STT for STT_BASE_URL. */
  variables: string;
  /** Sentences for a server that failed, and for one whose response is invalid. */
  failed: string;
  wrongAnswer: string;
};

export const RECOGNITION_SERVER: ServerRole = {
  name: 'recognition server',
  variables: 'STT',
  failed: 'The recognition server could not transcribe this recording.',
  wrongAnswer: 'The recognition server returned an invalid transcription.',
};

/** Corrections and summaries use the same server; the messages name the one that failed. */
export const CORRECTION_SERVER: ServerRole = {
  name: 'language model server',
  variables: 'LLM',
  failed: 'The language model server could not correct this text.',
  wrongAnswer: 'The language model server returned an invalid correction.',
};

export const SUMMARY_SERVER: ServerRole = {
  name: 'language model server',
  variables: 'LLM',
  failed: 'The language model server could not summarize this text.',
  wrongAnswer: 'The language model server returned an invalid summary.',
};

export const SPEECH_SERVER: ServerRole = {
  name: 'speech server',
  variables: 'TTS',
  failed: 'The speech server could not synthesize this text.',
  wrongAnswer: 'The speech server returned invalid audio.',
};

/** Error codes of a server that cannot be reached, as opposed to a lost connection. */
const ABSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Failures to agree on TLS, for example with a server that speaks plain http. */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_)/;
const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Upper limit for a Retry-After from a server. */
const MAX_WAIT_SECONDS = 3_600;

/**
 * Converts a failed request to an error of the catalogue: `engine_unavailable` when the server
 * cannot be reached, `timed_out`, and `service_unavailable` (retried by the queue) when the
 * connection broke. Contains neither the address nor the key.
 */
export function connectionFailure({ name }: ServerRole, thrown: unknown, hasTimedOut: boolean): AppError {
  // An error without a code means that `fetch` refused the address itself, such as a port that
  // browsers block.
  const code = fetchErrorCode(thrown) ?? 'no address';
  if (hasTimedOut || SLOW.has(code)) {
    return new AppError('timed_out', `The ${name} did not answer in time; try again later.`);
  }
  if (code === 'no address' || ABSENT.has(code) || NO_TLS.test(code)) {
    return new AppError('engine_unavailable', `The ${name} cannot be reached; try again later.`, {
      cause: code,
    });
  }
  return new AppError('service_unavailable', `The connection to the ${name} was lost; try again shortly.`, {
    cause: code,
  });
}

/**
 * Converts a status other than 200 to an error. Wrong keys and models need the operator and are
 * final (`engine_unavailable`); a busy server is retried by the queue (`service_unavailable`); a
 * failure of the server itself fails the request (`engine_failed`).
 */
export function statusFailure(
  { name, variables, failed }: ServerRole,
  status: number,
  retryAfter: string | null,
): AppError {
  const cause = `the ${name} answered ${status}`;
  if (status === 401 || status === 403) {
    return new AppError(
      'engine_unavailable',
      `The ${name} refused our key; the operator of this service must check ${variables}_API_KEY.`,
      { cause },
    );
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return new AppError(
      'engine_unavailable',
      `The ${name} does not know the model or the address; the operator of this service must check ${variables}_MODEL and ${variables}_BASE_URL.`,
      { cause },
    );
  }
  if (status === 408 || status === 429 || (status > 500 && status < 600)) {
    const wait = secondsOf(retryAfter);
    const message = `The ${name} is busy; try again shortly.`;
    return new AppError('service_unavailable', message, {
      cause,
      ...(wait === null ? {} : { retryAfterSeconds: wait }),
    });
  }
  return new AppError('engine_failed', failed, { cause });
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(MAX_WAIT_SECONDS, Math.max(0, Math.ceil(seconds))) : null;
}
