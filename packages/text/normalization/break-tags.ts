/**
 * `<break/>`, `<break time="1s"/>`, `<break time='300 ms'>`, `<break strength="strong"/>`. The
 * attributes are read apart: one pattern for all of it would take minutes for a tag with many
 * spaces.
 */
const BREAK = /<break(?=[\s/>])([^<>]*)>(?:\s*<\/break>)?/giu;
const TIME = /^\+?(\d+(?:\.\d+)?|\.\d+)(ms|s)$/i;
/** The pauses of SSML's strengths in milliseconds. */
export const STRENGTHS_MS: Readonly<Record<string, number>> = {
  none: 0,
  'x-weak': 100,
  weak: 250,
  medium: 500,
  strong: 750,
  'x-strong': 1_000,
};
const DEFAULT_MS = 500;
/** A longer pause is shortened, because pauses are free. */
const MAX_BREAK_MS = 10_000;

/** A stretch of text, and the pause after it. */
type TextBeforeBreak = { text: string; pauseMs: number };

/**
 * Splits a text at its break tags (SSML). The last stretch has no pause; a text without tags is one
 * stretch. A tag without a valid time is a pause of half a second.
 */
export function splitAtBreaks(text: string): TextBeforeBreak[] {
  const stretches: TextBeforeBreak[] = [];
  let from = 0;
  for (const match of text.matchAll(BREAK)) {
    stretches.push({ text: text.slice(from, match.index), pauseMs: pauseOf(match[1] ?? '') });
    from = match.index + match[0].length;
  }
  return [...stretches, { text: text.slice(from), pauseMs: 0 }];
}

/** The text without its break tags. */
export function withoutBreaks(text: string): string {
  return splitAtBreaks(text)
    .map((stretch) => stretch.text)
    .join('');
}

function pauseOf(tag: string): number {
  const attributes = tag.replaceAll(/\s+/gu, ' ');
  const time = readBreakTime(/time ?= ?["']? ?([^"'>/]*)/iu.exec(attributes)?.[1] ?? '');
  if (time !== null) return time;
  const strength = /strength ?= ?["']? ?([\w-]+)/iu.exec(attributes)?.[1]?.toLowerCase() ?? '';
  return STRENGTHS_MS[strength] ?? DEFAULT_MS;
}

/** Reads a time such as 300ms or 1.5s as milliseconds; null for anything else. */
export function readBreakTime(text: string): number | null {
  const [, value, unit] = TIME.exec(text.replaceAll(/\s/gu, '')) ?? [];
  if (value === undefined) return null;
  return Math.min(MAX_BREAK_MS, Number(value) * (unit?.toLowerCase() === 's' ? 1_000 : 1));
}
