import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { AboutSegment } from '#features/after-transcript/about-transcript.ts';

/** The longest line that is asked about as a whole. */
const LINE_CHARACTERS = 400;
/** As many as an edited transcript may have segments. */
const MOST_LINES = 50_000;

/**
 * The lines of a text, of which long ones are divided after sentences; empty ones are left out.
 * Throws `invalid_request` for more than 50,000.
 */
export async function linesOf(text: string): Promise<AboutSegment[]> {
  const lines: AboutSegment[] = [];
  for (const line of piecesOf(text)) {
    await yieldToEventLoop();
    const trimmed = line.trim();
    if (trimmed === '') continue;
    if (lines.length === MOST_LINES) {
      throw new AppError(
        'invalid_request',
        `The field "transcript" may have at most ${MOST_LINES} lines or sentences.`,
      );
    }
    lines.push({ text: trimmed, startMs: null, endMs: null, speaker: null });
  }
  return lines;
}

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (line.length <= LINE_CHARACTERS) yield line;
    else for (const [sentence] of line.matchAll(/[^。！？.!?]{1,400}[。！？.!?]*\s*/gu)) yield sentence;
    start += line.length + 1;
  }
}
