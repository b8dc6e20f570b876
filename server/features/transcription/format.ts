import type { Segment } from '@jyutsing/contracts/transcript';
import { channelOfSpeaker } from './channel-speakers.ts';

/** No space follows these: they already contain one. */
const FULL_WIDTH_PUNCTUATION = new Set('，。！？；：、…」』）》');

/**
 * The text in one line. Joins segments with a space, in Chinese too: it marks the pause, where a
 * comma would assert grammar. No space follows full-width punctuation. Silence gives ''.
 */
export function formatPlain(segments: readonly Pick<Segment, 'text'>[]): string {
  return segments.map(createPlainWriter()).join('');
}

/**
 * `formatPlain` for one segment at a time: returns what each adds to the text, including the space
 * before it, and '' for one without text.
 */
export function createPlainWriter(): (segment: Pick<Segment, 'text'>) => string {
  // No space before the first text, as after punctuation.
  let last = '，';
  return (segment) => {
    const text = oneLine(segment.text);
    if (text === '') return '';
    const added = FULL_WIDTH_PUNCTUATION.has(last) ? text : ` ${text}`;
    last = text.slice(-1);
    return added;
  };
}

/** Whether a cue begins with its speaker: `SPEAKER_<nn>: `; an unknown speaker has no prefix. */
type CueOptions = { speakers: boolean; names?: Names };
/** Names by speaker, of a transcript whose speakers are labels already; absent: they get labels. */
type Names = ReadonlyMap<string, string>;

/**
 * Numbered blocks: an index line, `HH:MM:SS,mmm --> HH:MM:SS,mmm`, the text, a blank line; also a
 * SubRip (.srt) file.
 */
export function formatBlocks(segments: readonly Segment[], options: CueOptions): string {
  return cues(segments, options)
    .map((cue, index) => numberedBlock(index, cue))
    .join('');
}

/**
 * A block of SubRip. The format has no way to write `-->` in a text, where players would take it
 * for times: the arrow loses its hyphens but one.
 */
export function numberedBlock(index: number, { startMs, endMs, text }: Cue): string {
  // A run of hyphens is tried from its first one only: thousands of them would take minutes.
  const readable = text.replaceAll(/(?<!-)-{2,}>/g, '->');
  return `${index + 1}\n${timecode(startMs, ',')} --> ${timecode(endMs, ',')}\n${readable}\n\n`;
}

/** A WebVTT file (https://www.w3.org/TR/webvtt1/). Escapes markup characters. */
export function formatVtt(segments: readonly Segment[], options: CueOptions): string {
  const blocks = cues(segments, options).map(({ startMs, endMs, text }) => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `${timecode(startMs, '.')} --> ${timecode(endMs, '.')}\n${escaped}\n\n`;
  });
  return `WEBVTT\n\n${blocks.join('')}`;
}

/** One line per turn, `SPEAKER_<nn>: text`; consecutive segments of a speaker are one turn. */
export function formatDiarization(segments: readonly Segment[], names?: Names): string {
  const labels = names ?? speakerLabels(segments);
  const turns: { prefix: string; segments: Segment[] }[] = [];
  for (const segment of spoken(segments)) {
    const prefix = prefixOf(segment, labels);
    const turn = turns.at(-1);
    if (turn?.prefix === prefix) turn.segments.push(segment);
    else turns.push({ prefix, segments: [segment] });
  }
  return turns.map((turn) => turn.prefix + formatPlain(turn.segments)).join('\n');
}

type Cue = { startMs: number; endMs: number; text: string };

/**
 * The cues of a subtitle file of any format: one line of text for each segment with text, and
 * times that never decrease.
 */
function cues(segments: readonly Segment[], { speakers, names }: CueOptions): Cue[] {
  const labels = names ?? speakerLabels(segments);
  return spoken(segments).map((segment) => ({
    startMs: segment.startMs,
    endMs: Math.max(segment.startMs, segment.endMs),
    text: (speakers ? prefixOf(segment, labels) : '') + oneLine(segment.text),
  }));
}

function spoken(segments: readonly Segment[]): Segment[] {
  return segments.filter((segment) => segment.text.trim() !== '');
}

/** A line break in a text would end its block early. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/**
 * `SPEAKER_<nn>` for each speaker, numbered by first appearance, whatever the diarizer calls them;
 * a channel by its number, from 0.
 */
export function speakerLabels(segments: readonly Segment[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { speaker } of spoken(segments)) {
    if (speaker !== null && !labels.has(speaker)) {
      const number = channelOfSpeaker(speaker) ?? labels.size;
      labels.set(speaker, `SPEAKER_${padded(number, 2)}`);
    }
  }
  return labels;
}

function prefixOf({ speaker }: Segment, labels: Names): string {
  return speaker === null ? '' : `${oneLine(labels.get(speaker) ?? speaker)}: `;
}

export function timecode(timeMs: number, decimalMark: ',' | '.'): string {
  const ms = Math.max(0, Math.round(timeMs));
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}:${padded(seconds % 60, 2)}`;
  return `${time}${decimalMark}${padded(ms % 1_000, 3)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
