import { z } from 'zod';

/** What a track is downloaded by: the road that found it, and its link. */
export type TrackHandle = { road: string; link: string };

const Handle = z.object({ road: z.string(), link: z.string() });

export function writeHandle(handle: TrackHandle): string {
  return Buffer.from(JSON.stringify(handle)).toString('base64url');
}

/** Null for what `writeHandle` did not write. */
export function readHandle(text: string): TrackHandle | null {
  try {
    const parsed = Handle.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Links are signed until a certain second, which they say. */
export function hasExpired(link: string, nowMs: number): boolean {
  const expiresAt = Number(parametersOf(link).get('expire') ?? Number.NaN);
  return expiresAt * 1_000 <= nowMs;
}

/** Links for browsers: without a proof-of-origin token they are answered with an empty body. */
export function wantsToken(link: string): boolean {
  const parameters = parametersOf(link);
  const experiments = parameters.getAll('exp').flatMap((value) => value.split(','));
  return !parameters.has('pot') && experiments.some((experiment) => experiment === 'xpe' || experiment === 'xpv');
}

function parametersOf(link: string): URLSearchParams {
  return new URLSearchParams(link.slice(link.indexOf('?') + 1));
}
