import type { CaptionLine } from '@jyutsing/contracts/captions';
import { parseJson3 } from './json3.ts';
import { parseSrv3 } from './srv3.ts';
import { parseWebVtt } from './web-vtt.ts';

/**
 * The lines of a caption file, whichever of json3, srv3 and WebVTT it is, decided by its content. Null for what is none of them: a
 * page of HTML, a consent form, an empty body, a file that is damaged or cut off. Text keeps its marks (`[Music]`, `>>`) and its
 * line breaks; characters are decoded, tags removed, lines without text left out.
 */
export function parseCaptions(body: string): CaptionLine[] | null {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  const parse = text.startsWith('{') ? parseJson3 : text.startsWith('WEBVTT') ? parseWebVtt : parseSrv3;
  const lines = parse(text);
  return lines === null ? null : lines.filter((line) => line.text !== '').toSorted((a, b) => a.startMs - b.startMs);
}
