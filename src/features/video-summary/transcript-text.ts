import type { CaptionLine } from '#contracts/captions.ts';

/** Captions that follow at once: a row that comes again then is still on the screen, not said once more. */
const CONTIGUOUS_MS = 100;
/** Captions of automatic tracks stand alone for a moment before the next row joins them. */
const FLASH_MS = 50;
/** As many as captions of television have (CEA-608). */
const MOST_ROWS_SHOWN = 15;
/** Notes for those who cannot hear: `[Music]`, `【掌聲】`; a longer bracket may be text. */
const SOUND_NOTES = /[[［【](?:[^\]］】\n]{1,40})[\]］】]/gu;
/** In round brackets people also say things, so only sounds by name, and only as the whole row. */
const SOUND_ROW =
  /^[(（]\s*(?:music|applause|laugh(?:s|ter|ing)?|cheers?|cheering|sighs?|coughs?|音樂|音乐|掌聲|掌声|笑聲|笑声|笑|拍手|拍掌|박수|웃음|음악)[^)）\n]{0,20}[)）]$/iu;
const NOTES_OF_MUSIC = /[♩♪♫♬]+/gu;
/** `>> `, `>>> `, `- `: another one speaks. */
const SPEAKER_MARK = /^(?:>{1,3}\s*|[-–—]\s+|[-–—](?=\p{L}))(?=\S)/u;

/**
 * The rows of a caption track as one reads them: rolling captions said once, notes of sounds and marks of speakers gone. Who speaks by
 * name (`ANNA:`) stays. Rows keep their order; there may be none.
 */
export function transcriptRows(lines: readonly CaptionLine[]): string[] {
  return unrolled(lines)
    .map(withoutMarks)
    .filter((row) => /[\p{L}\p{N}]/u.test(row));
}

/** Rows as they are seen one after the other: what is still on the screen from the caption before does not count again. */
function unrolled(lines: readonly CaptionLine[]): string[] {
  const rows: string[] = [];
  let previous: CaptionLine | null = null;
  for (const line of lines) {
    const shown = line.text.split('\n');
    const follows = previous !== null && line.startMs <= previous.endMs + CONTIGUOUS_MS;
    const kept = follows ? overlap(rows, shown) : 0;
    const last = rows.at(-1);
    const isFlash = line.endMs - line.startMs <= FLASH_MS;
    // A caption that says nothing but what was there is said again, unless it only flashes.
    if (kept < shown.length || isFlash) {
      const fresh = shown.slice(kept);
      const [grown = ''] = fresh;
      if (follows && kept === 0 && last !== undefined && isGrowth(last, grown)) rows.pop();
      rows.push(...fresh);
    } else {
      rows.push(...shown);
    }
    previous = line;
  }
  return rows;
}

/** How many rows at the end of one list are the beginning of the other, as far as a screen has room for them. */
function overlap(rows: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(rows.length, shown.length, MOST_ROWS_SHOWN); count > 0; count -= 1) {
    if (shown.slice(0, count).every((row, i) => row === rows[rows.length - count + i])) return count;
  }
  return 0;
}

/** Live captions grow on the screen while they are spoken. */
function isGrowth(before: string, after: string): boolean {
  return after.length > before.length && after.startsWith(before) && !/[.?!。？！]$/u.test(before);
}

function withoutMarks(row: string): string {
  const trimmed = row.trim();
  if (SOUND_ROW.test(trimmed)) return '';
  return trimmed
    .replace(SOUND_NOTES, ' ')
    .replace(NOTES_OF_MUSIC, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(SPEAKER_MARK, '')
    .trim();
}
