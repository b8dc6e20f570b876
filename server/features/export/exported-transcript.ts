import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { Language, Segment } from '@jyutsing/contracts/transcript';

/** A transcript as files show it. Speakers are named as they are shown, if `showsSpeakers`. */
export type ExportedTranscript = {
  title: string | null;
  /** A line below the title. */
  note: string | null;
  language: Language;
  durationMs: number;
  createdAtMs: number;
  showsSpeakers: boolean;
  segments: readonly ExportedSegment[];
};

/** `translation` null: the file has none. Subtitles of a language have it as `text`. */
export type ExportedSegment = Segment & { translation: string | null };

/** Segments that a document shows as one paragraph: of one speaker, without a long pause. */
export type Paragraph = { speaker: string | null; startMs: number; endMs: number; segments: ExportedSegment[] };

/** The pause that begins a paragraph. */
const PAUSE_MS = 2_000;
/** The longest paragraph; the next segment begins another. */
const MAX_PARAGRAPH_MS = 45_000;

export function paragraphsOf(segments: readonly ExportedSegment[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const segment of segments) {
    if (segment.text.trim() === '') continue;
    const { speaker, startMs, endMs } = segment;
    const last = paragraphs.at(-1);
    const goesOn =
      last !== undefined &&
      last.speaker === speaker &&
      startMs - last.endMs < PAUSE_MS &&
      endMs - last.startMs <= MAX_PARAGRAPH_MS;
    if (goesOn) {
      last.segments.push(segment);
      last.endMs = Math.max(last.endMs, endMs);
    } else paragraphs.push({ speaker, startMs, endMs, segments: [segment] });
  }
  return paragraphs;
}

/** The written form of the items one after another; the event loop may run between them. */
export async function writeAll<Item, Written>(
  items: readonly Item[],
  write: (item: Item) => Written | Promise<Written>,
): Promise<Written[]> {
  const written: Written[] = [];
  for (const item of items) {
    await yieldToEventLoop();
    written.push(await write(item));
  }
  return written;
}

const padded = (value: number) => String(value).padStart(2, '0');

/** `1:02:03` or `2:03`. */
export function clock(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(seconds % 60)}` : `${minutes}:${padded(seconds % 60)}`;
}
