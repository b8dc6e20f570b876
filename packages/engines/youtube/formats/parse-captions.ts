import type { CaptionLine } from '@jyutsing/contracts/captions';
import { parseJson3 } from './json3.ts';
import { parseSrv3 } from './srv3.ts';
import { parseWebVtt } from './web-vtt.ts';

/**
 * Parses json3, srv3 or WebVTT, whichever the content is. Null for anything else: HTML, an empty
 * body, a damaged or truncated file. Text keeps its marks (`[Music]`, `>>`) and line breaks;
 * entities are decoded, tags removed and empty lines left out.
 */
export function parseCaptions(body: string): CaptionLine[] | null {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  const parse = text.startsWith('{') ? parseJson3 : text.startsWith('WEBVTT') ? parseWebVtt : parseSrv3;
  const lines = parse(text);
  return lines === null ? null : lines.filter((line) => line.text !== '').toSorted((a, b) => a.startMs - b.startMs);
}
