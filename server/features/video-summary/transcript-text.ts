import type { CaptionLine } from '@jyutsing/contracts/captions';

/** A row repeated within this gap is still on the screen, not spoken again. */
const CONTIGUOUS_MS = 100;
/** Automatic tracks show a row alone for this long before the next row joins it. */
const FLASH_MS = 50;
/** The maximum of television captions (CEA-608). */
const MAX_ROWS = 15;
/**
 * A track is live captioned when at least this number and share of captions extend the previous
 * one.
 */
const MIN_GROWN = 2;
const MIN_GROWN_SHARE = 0.4;
/** Sound descriptions: `[Music]`, `【掌聲】`. Longer brackets may be text. */
const SOUND_NOTES = /[[［【](?:[^\]］】\n]{1,40})[\]］】]/gu;
/** Round brackets may contain speech, so they must name a sound and be the whole row. */
const SOUND_ROW =
  /^[(（]\s*(?:music|applause|laugh(?:s|ter|ing)?|cheers?|cheering|sighs?|coughs?|音樂|音乐|掌聲|掌声|笑聲|笑声|笑|拍手|拍掌|박수|웃음|음악)[^)）\n]{0,20}[)）]$/iu;
const MUSIC_NOTES = /[♩♪♫♬]+/gu;
/** Screen positions of subtitle editors, `{\an8}` (Advanced SubStation Alpha). */
const POSITIONS = /\{\\[^{}\n]{1,60}\}/gu;
/** `>> `, `>>> `, `- ` mark a change of speaker. A colon remains of `[ANNA]: `. */
const SPEAKER_MARK = /^(?:[:：]\s*|>{1,3}\s*|[-–—]\s+|[-–—](?=\p{L}))(?=\S)/u;

type Caption = Pick<CaptionLine, 'startMs' | 'endMs'> & { shown: readonly string[] };
/** A line of a transcript, and when it begins to be shown or spoken. */
export type TranscriptRow = { text: string; startMs: number };

/**
 * The text of a caption track by rows: without the repetitions of rolling captions, sound
 * descriptions and speaker marks. Speaker names (`ANNA:`) stay. May be empty.
 */
export function transcriptRows(lines: readonly CaptionLine[]): TranscriptRow[] {
  return unrolled(lines)
    .map(({ text, startMs }) => ({ text: withoutMarks(text), startMs }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** Leaves out rows that are still on the screen from the previous caption. */
function unrolled(lines: readonly CaptionLine[]): TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  const captions = lines.map(({ text, ...times }) => ({ ...times, shown: text.split('\n') }));
  const isLive = isLiveCaptioned(captions);
  let previous: Caption | null = null;
  for (const caption of captions) {
    const { shown, startMs } = caption;
    const asRow = (text: string) => ({ text, startMs });
    const isNext = previous !== null && follows(previous, caption);
    const before = isNext ? rows.slice(-MAX_ROWS).map(({ text }) => text) : [];
    const kept = overlap(before, shown);
    const grown = isLive && kept === 0 ? grownOverlap(before, shown) : 0;
    const isFlash = caption.endMs - caption.startMs <= FLASH_MS;
    if (grown > 0) {
      const [longer = '', ...fresh] = shown.slice(grown - 1);
      rows.splice(-1, 1, { text: longer, startMs: rows.at(-1)?.startMs ?? startMs }, ...fresh.map(asRow));
    }
    // A caption without new rows is spoken again, unless it only flashes.
    else rows.push(...(kept < shown.length || isFlash ? shown.slice(kept) : shown).map(asRow));
    previous = caption;
  }
  return rows;
}

function follows(previous: Caption, { startMs }: Caption): boolean {
  return startMs <= previous.endMs + CONTIGUOUS_MS;
}

/**
 * Whether captions grow on the screen while they are spoken. In other tracks a caption may start
 * with the words of the previous one by chance (係 → 係咪呀), and both were spoken.
 */
function isLiveCaptioned(captions: readonly Caption[]): boolean {
  const grown = captions.filter((caption, index) => {
    const previous = captions[index - 1];
    return previous !== undefined && follows(previous, caption) && grownOverlap(previous.shown, caption.shown) > 0;
  });
  return grown.length >= MIN_GROWN && grown.length >= MIN_GROWN_SHARE * (captions.length - 1);
}

/** The number of rows at the end of `rows` with which `shown` starts. */
function overlap(rows: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(rows.length, shown.length, MAX_ROWS); count > 0; count -= 1) {
    if (shown.slice(0, count).every((row, i) => row === rows[rows.length - count + i])) return count;
  }
  return 0;
}

/** The same, when the last of these rows has become longer; otherwise 0. */
function grownOverlap(rows: readonly string[], shown: readonly string[]): number {
  for (let count = Math.min(rows.length, shown.length, MAX_ROWS); count > 0; count -= 1) {
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
    .replace(MUSIC_NOTES, ' ')
    .replace(POSITIONS, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(SPEAKER_MARK, '')
    .trim();
}
