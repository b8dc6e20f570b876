/**
 * Why a road to a video led nowhere: a few words for the log, without anything of the video. It never leaves this engine; what does is
 * an AppError that lists the obstacles of all roads.
 */
export class Obstacle extends Error {
  /** No other road can lead further: the platform has said plainly that there is nothing. */
  readonly isFinal: boolean;

  constructor(reason: string, options: { isFinal?: boolean } = {}) {
    super(reason);
    this.name = 'Obstacle';
    this.isFinal = options.isFinal ?? false;
  }
}

/** What was thrown on a road, as an obstacle. Unknown things keep their name only: their text may hold what the platform sent. */
export function toObstacle(thrown: unknown): Obstacle {
  if (thrown instanceof Obstacle) return thrown;
  return new Obstacle(`failed (${thrown instanceof Error ? thrown.name : typeof thrown})`);
}

const CONSENT = /\/\/consent\.(?:youtube|google)\.|before you continue to (?:youtube|google)/i;
const CAPTCHA = /\/sorry\/|unusual traffic|g-recaptcha|captcha-form|\bcaptcha\b/i;
/** A comment ends at its first end: one that could as well go on would be tried in every way, for ever. */
const HTML = /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype html|html|head|body)\b/i;
/** How much of a page is looked at. */
const PAGE_HEAD_CHARS = 100_000;

/** Where the platform sends those whom it does not answer; null for a redirect to anywhere else. */
export function obstacleOfRedirect(location: URL): Obstacle | null {
  if (location.hostname.startsWith('consent.') || /^\/consent\b/.test(location.pathname))
    return new Obstacle('consent page');
  if (location.pathname.startsWith('/sorry')) return new Obstacle('captcha');
  if (location.hostname.startsWith('accounts.google.')) return new Obstacle('sign-in page');
  return null;
}

/** What came in place of an answer; null where nothing speaks against the body. */
export function obstacleOfAnswer(status: number, body: string): Obstacle | null {
  const isPage = HTML.test(body.slice(0, 2_000));
  // Only in pages and refusals: captions may talk about captchas.
  if (isPage || status >= 400) {
    const head = body.slice(0, PAGE_HEAD_CHARS);
    if (CAPTCHA.test(head)) return new Obstacle('captcha');
    if (isPage && CONSENT.test(head)) return new Obstacle('consent page');
  }
  if (status === 429) return new Obstacle('status 429, too many requests');
  if (status !== 200 && status !== 206) return new Obstacle(`status ${status}`);
  if (isPage) return new Obstacle('HTML instead of an answer');
  if (body.trim() === '') return new Obstacle('empty body');
  return null;
}

/** A body as data. Throws `Obstacle` for what is cut off or no JSON. */
export function parseAnswer(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new Obstacle(/^\s*[{[]/.test(body) ? 'cut-off JSON' : 'no JSON');
  }
}
