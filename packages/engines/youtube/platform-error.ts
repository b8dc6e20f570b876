/**
 * Reason why a strategy failed, in a few words for the log and without content of the video.
 * Callers of the engine get one AppError that lists the errors of all strategies.
 */
export class PlatformError extends Error {
  /**
   * True if other strategies are not tried, because the platform says that the video is not
   * available.
   */
  readonly isFinal: boolean;

  constructor(reason: string, options: { isFinal?: boolean } = {}) {
    super(reason);
    this.name = 'PlatformError';
    this.isFinal = options.isFinal ?? false;
  }
}

/** Beginning of the reason of a request that got no answer. */
export const CONNECTION_FAILED = 'connection failed';

/** Keeps only the name of an unknown error: its message may contain what the platform sent. */
export function toPlatformError(thrown: unknown): PlatformError {
  if (thrown instanceof PlatformError) return thrown;
  return new PlatformError(`failed (${thrown instanceof Error ? thrown.name : typeof thrown})`);
}

/** Whether an attempt failed because the platform takes this server for a bot. */
export function isDistrust(attempt: string): boolean {
  return /: (?:bot check|captcha|status 429)/.test(attempt);
}

const CONSENT = /\/\/consent\.(?:youtube|google)\.|before you continue to (?:youtube|google)/i;
const CAPTCHA = /\/sorry\/|unusual traffic|g-recaptcha|captcha-form|\bcaptcha\b/i;
/** The comment part must stop at the first `-->`, or backtracking takes exponential time. */
const HTML = /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype html|html|head|body)\b/i;
const PAGE_HEAD_CHARS = 100_000;

/**
 * Returns the error for a redirect, which the platform sends for requests that it refuses; null for
 * other redirects.
 */
export function errorOfRedirect(location: URL): PlatformError | null {
  if (location.hostname.startsWith('consent.') || /^\/consent\b/.test(location.pathname))
    return new PlatformError('consent page');
  if (location.pathname.startsWith('/sorry')) return new PlatformError('captcha');
  if (location.hostname.startsWith('accounts.google.')) return new PlatformError('sign-in page');
  return null;
}

/** Recognizes pages that the platform sends instead of data; null for data. */
export function errorOfResponse(status: number, body: string): PlatformError | null {
  const isPage = HTML.test(body.slice(0, 2_000));
  // Only pages are searched for the word: captions may contain it, too.
  if (isPage || status >= 400) {
    const head = body.slice(0, PAGE_HEAD_CHARS);
    if (CAPTCHA.test(head)) return new PlatformError('captcha');
    if (isPage && CONSENT.test(head)) return new PlatformError('consent page');
  }
  if (status === 429) return new PlatformError('status 429, too many requests');
  if (status !== 200 && status !== 206) return new PlatformError(`status ${status}`);
  if (isPage) return new PlatformError('HTML instead of data');
  if (body.trim() === '') return new PlatformError('empty body');
  return null;
}

/** Throws `PlatformError` for truncated or other invalid JSON. */
export function parseJsonBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new PlatformError(/^\s*[{[]/.test(body) ? 'truncated JSON' : 'not JSON');
  }
}
