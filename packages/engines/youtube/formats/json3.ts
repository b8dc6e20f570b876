import { z } from 'zod';
import type { CaptionLine } from '@jyutsing/contracts/captions';
import { plainText } from './plain-text.ts';

const events = z.object({
  events: z.array(
    z.object({
      tStartMs: z.number().default(0),
      dDurationMs: z.number().default(0),
      segs: z.array(z.object({ utf8: z.string().default('') })).default([]),
    }),
  ),
});

/** Parses the platform's JSON format (`fmt=json3`). Returns null for invalid content. */
export function parseJson3(body: string): CaptionLine[] | null {
  const parsed = events.safeParse(parseJson(body));
  if (!parsed.success) return null;
  return parsed.data.events.map(({ tStartMs, dDurationMs, segs }) => ({
    startMs: tStartMs,
    endMs: tStartMs + dDurationMs,
    text: plainText(segs.map(({ utf8 }) => utf8).join('')),
  }));
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
