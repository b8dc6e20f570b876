import type { CaptionLine } from '@jyutsing/contracts/captions';

/** Captions that follow at once: a row that comes again then is still on the screen, not said once more. */
const CONTIGUOUS_MS = 100;
/** Captions of automatic tracks stand alone for a moment before the next row joins them. */
const FLASH_MS = 50;
/** As many as captions of television have (CEA-608). */
const MOST_ROWS_SHOWN = 15;
/** So many captions that begin with the one before, and such a share of all, make a track one of live captions. */
const LEAST_GROWN = 2;
const LEAST_GROWN_SHARE = 0.4;
/** Notes for those who cannot hear: `[Music]`, `【掌聲】`; a longer bracket may be text. */
const SOUND_NOTES = /[[［【](?:[^\]］】\n]{1,40})[\]］】]/gu;
/** In round brackets people also say things, so only sounds by name, and only as the whole row. */
const SOUND_ROW =
  /^[(（]\s*(?:music|applause|laugh(?:s|ter|ing)?|cheers?|cheering|sighs?|coughs?|音樂|音乐|掌聲|掌声|笑聲|笑声|笑|拍手|拍掌|박수|웃음|음악)[^)）\n]{0,20}[)）]$/iu;
const NOTES_OF_MUSIC = /[♩♪♫♬]+/gu;
/** Places on the screen, `{\an8}`, which programs for subtitles write (Advanced SubStation Alpha). */
const PLACES = /\{\\[^{}\n]{1,60}\}/gu;
/** `>> `, `>>> `, `- `: another one speaks. A colon is what is left of `[ANNA]: `. */
const SPEAKER_MARK = /^(?:[:：]\s*|>{1,3}\s*|[-–—]\s+|[-–—](?=\p{L}))(?=\S)/u;

/** A caption by its rows. */
type Caption = Pick<CaptionLine, 'startMs' | 'endMs'> & { shown: readonly string[] };

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
  const captions = lines.map(({ text, ...times }) => ({ ...times, shown: text.split('\n') }));
  const isLive = growsMostly(captions);
  let previous: Caption | null = null;
  for (const caption of captions) {
    const { shown } = caption;
    const isNext = previous !== null && follows(previous, caption);
    const kept = isNext ? overlap(rows, shown) : 0;
    const grown = isNext && isLive && kept === 0 ? grownOverlap(rows, shown) : 0;
    const isFlash = caption.endMs - caption.startMs <= FLASH_MS;
    if (grown > 0) rows.splice(-1, 1, ...shown.slice(grown - 1));
    // A caption that says nothing but what was there is said again, unless it only flashes.
    else rows.push(...(kept < shown.length || isFlash ? shown.slice(kept) : shown));
    previous = caption;
  }
  return rows;
}

function follows(previous: Caption, { startMs }: Caption): boolean {
  return startMs <= previous.endMs + CONTIGUOUS_MS;
}

/**
 * Live captions grow on the screen while they are spoken, all of them. In others one may begin with the words of the one before as well
 * (係 → 係咪呀, a slip of the tongue), and both were said.
 */
function growsMostly(captions: readonly Caption[]): boolean {
  const grown = captions.filter((caption, index) => {
    const previous = captions[index - 1];
    return previous !== undefined && follows(previous, caption) && grownOverlap(previous.shown, caption.shown) > 0;
  });
  return grown.length >= LEAST_GROWN && grown.length >= LEAST_GROWN_SHARE * (captions.length - 1);
}

/** How many rows at the end of one list are the beginning of the other, as far as a screen has room for them. */
function overlap(rows: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(rows.length, shown.length, MOST_ROWS_SHOWN); count > 0; count -= 1) {
    if (shown.slice(0, count).every((row, i) => row === rows[rows.length - count + i])) return count;
  }
  return 0;
}

/** The same where the last of them has become longer; 0 where none has. */
function grownOverlap(rows: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(rows.length, shown.length, MOST_ROWS_SHOWN); count > 0; count -= 1) {
    const before = rows.slice(-count);
    const isSame = shown.slice(0, count - 1).every((row, index) => row === before[index]);
    if (isSame && isGrowth(before[count - 1] ?? '', shown[count - 1] ?? '')) return count;
  }
  return 0;
}

function isGrowth(before: string, after: string): boolean {
  return after.length > before.length && after.startsWith(before) && !/[.?!。？！]$/u.test(before);
}

function withoutMarks(row: string): string {
  const trimmed = row.trim();
  if (SOUND_ROW.test(trimmed)) return '';
  return trimmed
    .replace(SOUND_NOTES, ' ')
    .replace(NOTES_OF_MUSIC, ' ')
    .replace(PLACES, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(SPEAKER_MARK, '')
    .trim();
}
