import type { CaptionLine } from '#contracts/captions.ts';
import { plainText } from './plain-text.ts';

const TIMES = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})/;
const TAGS = /<[^>]*>/g;

/** WebVTT (W3C): cues between empty lines; notes, styles, settings, identifiers and inner times are left out. Null when a cue has no times. */
export function parseWebVtt(body: string): CaptionLine[] | null {
  const [header, ...blocks] = body
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split(/\n{2,}/);
  if (!/^WEBVTT([ \t\n]|$)/.test(header ?? '')) return null;
  const lines: CaptionLine[] = [];
  for (const block of blocks) {
    if (block.trim() === '' || /^(NOTE|STYLE|REGION)\b/.test(block)) continue;
    const rows = block.split('\n').filter((row) => row !== '');
    const at = rows.findIndex((row) => row.includes('-->'));
    // A line that holds only a blank ends a cue's text for some writers; what follows belongs to the cue before.
    if (at < 0) {
      const last = lines.at(-1);
      if (last !== undefined) last.text = plainText(`${last.text}\n${block.replace(TAGS, '')}`);
      continue;
    }
    const [, start, end] = TIMES.exec(rows[at] ?? '') ?? [];
    if (start === undefined || end === undefined) return null;
    const text = rows.slice(at + 1).join('\n');
    lines.push({ startMs: millisecondsOf(start), endMs: millisecondsOf(end), text: plainText(text.replace(TAGS, '')) });
  }
  return lines;
}

function millisecondsOf(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.replace(',', '.').split(':').map(Number).toReversed();
  return Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000);
}
