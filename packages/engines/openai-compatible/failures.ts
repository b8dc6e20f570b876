import { AppError } from '@jyutsing/contracts/errors';
import { fetchErrorCode } from '#engines/runtime/fetch-error.ts';

/** What an outside server does for us, as its failures tell it to people. */
export type ServerRole = {
  /** `The <name> did not answer …` */
  name: string;
  /** Of the variables that the operator sets for it: STT for STT_BASE_URL. */
  variables: string;
  /** One sentence each: it failed by itself; it answered something else. */
  failed: string;
  wrongAnswer: string;
};

export const RECOGNITION_SERVER: ServerRole = {
  name: 'recognition server',
  variables: 'STT',
  failed: 'The recognition server could not transcribe this recording.',
  wrongAnswer: 'The recognition server gave an answer that is no transcription.',
};

/** One server does both: which of the two it was asked for stands in its failures. */
export const CORRECTION_SERVER: ServerRole = {
  name: 'language model server',
  variables: 'LLM',
  failed: 'The language model server could not correct this text.',
  wrongAnswer: 'The language model server gave an answer that is no correction.',
};

export const SUMMARY_SERVER: ServerRole = {
  name: 'language model server',
  variables: 'LLM',
  failed: 'The language model server could not summarise this text.',
  wrongAnswer: 'The language model server gave an answer that is no summary.',
};

export const SPEECH_SERVER: ServerRole = {
  name: 'speech server',
  variables: 'TTS',
  failed: 'The speech server could not speak this text.',
  wrongAnswer: 'The speech server gave an answer that is no sound.',
};

/** Codes of a server that is not there, as opposed to one that was and broke off. */
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
const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Nobody waits longer than this because a server says so. */
const LONGEST_WAIT_SECONDS = 3_600;

/**
 * Why no answer came, as an error of the catalogue: `engine_unavailable` where nobody listens, `timed_out`, and
 * `service_unavailable` (the queue tries again) where the connection broke. Neither the address nor the key is in it.
 */
export function connectionFailure({ name }: ServerRole, thrown: unknown, hasTimedOut: boolean): AppError {
  const code = fetchErrorCode(thrown) ?? 'unknown';
  if (hasTimedOut || SLOW.has(code)) {
    return new AppError('timed_out', `The ${name} did not answer in time; try again later.`);
  }
  if (ABSENT.has(code)) {
    return new AppError('engine_unavailable', `The ${name} cannot be reached; try again later.`, {
      cause: code,
    });
  }
  return new AppError('service_unavailable', `The connection to the ${name} broke; try again shortly.`, {
    cause: code,
  });
}

/**
 * What a status other than 200 means. Keys and models are the operator's to mend and are final (`engine_unavailable`), a busy
 * server is asked again by the queue (`service_unavailable`), and a failure of the server's own ends the request (`engine_failed`).
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
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_SECONDS, Math.max(0, Math.ceil(seconds))) : null;
}
