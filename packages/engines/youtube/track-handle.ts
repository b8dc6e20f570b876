import { z } from 'zod';

/** The strategy that found a track, and the link to its captions. */
type TrackHandle = { strategy: string; link: string };

const Handle = z.object({ strategy: z.string(), link: z.string() });

export function writeHandle(handle: TrackHandle): string {
  return Buffer.from(JSON.stringify(handle)).toString('base64url');
}

/** Reads a handle; null for a handle of another source. */
export function readHandle(text: string): TrackHandle | null {
  try {
    const parsed = Handle.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Checks whether a link has expired: links contain the second at which their signature expires. */
export function hasExpired(link: string, nowMs: number): boolean {
  const expiresAt = Number(parametersOf(link).get('expire') ?? Number.NaN);
  return expiresAt * 1_000 <= nowMs;
}

/**
 * Checks whether a link needs a proof-of-origin token: without one, links for browsers get an empty
 * body.
 */
export function needsToken(link: string): boolean {
  const parameters = parametersOf(link);
  const experiments = parameters.getAll('exp').flatMap((value) => value.split(','));
  return !parameters.has('pot') && experiments.some((experiment) => experiment === 'xpe' || experiment === 'xpv');
}

function parametersOf(link: string): URLSearchParams {
  return new URLSearchParams(link.slice(link.indexOf('?') + 1));
}
