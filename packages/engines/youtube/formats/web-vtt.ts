import type { CaptionLine } from '@jyutsing/contracts/captions';
import { plainText } from './plain-text.ts';

const TIMES = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})/;
/**
 * Matches tags; it excludes `<` inside a tag, because many unclosed `<` would take quadratic time.
 */
const TAGS = /<[^<>]*>/g;

/** A cue with its unparsed lines of text in `rows`. */
type Cue = { startMs: number; endMs: number; rows: string[] };

/**
 * Parses WebVTT (W3C) without notes, styles, settings and identifiers. Null for a cue without
 * times.
 */
export function parseWebVtt(body: string): CaptionLine[] | null {
  const [header, ...blocks] = body
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split(/\n{2,}/);
  if (!/^WEBVTT([ \t\n]|$)/.test(header ?? '')) return null;
  const cues: Cue[] = [];
  for (const block of blocks) {
    if (block.trim() === '' || /^(NOTE|STYLE|REGION)(\s|$)/.test(block)) continue;
    const rows = block.split('\n').filter((row) => row !== '');
    const at = rows.findIndex((row) => row.includes('-->'));
    // Some files have blank lines inside of a cue; the text after one belongs to the cue before it.
    if (at < 0) {
      cues.at(-1)?.rows.push(block);
      continue;
    }
    const [, start, end] = TIMES.exec(rows[at] ?? '') ?? [];
    if (start === undefined || end === undefined) return null;
    cues.push({ startMs: millisecondsOf(start), endMs: millisecondsOf(end), rows: rows.slice(at + 1) });
  }
  return cues.map(({ startMs, endMs, rows }) => ({
    startMs,
    endMs,
    text: plainText(rows.join('\n').replace(TAGS, '')),
  }));
}

function millisecondsOf(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.replace(',', '.').split(':').map(Number).toReversed();
  return Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000);
}
