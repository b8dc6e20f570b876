import type { Segment } from '#contracts/transcript.ts';

/** After these no space is put: they already carry one. */
const FULL_WIDTH_PUNCTUATION = new Set('，。！？；：、…」』）》');

/**
 * The text in one line. Segments (stretches between pauses) are joined with one space, in Chinese as well: it shows the pause,
 * where a comma would be a claim about grammar that nobody made. No space follows full-width punctuation. Silence gives ''.
 */
export function formatPlain(segments: readonly Segment[]): string {
  return joinTexts(segments.map((segment) => oneLine(segment.text)));
}

/**
 * Numbered blocks: an index line, `HH:MM:SS,mmm --> HH:MM:SS,mmm`, the text, a blank line (which are the cues of a SubRip file).
 * With `speakers`, each text begins with `SPEAKER_<nn>: `; a segment whose speaker is unknown has no prefix.
 */
export function formatBlocks(segments: readonly Segment[], { speakers }: { speakers: boolean }): string {
  const labels = speakerLabels(segments);
  return spoken(segments)
    .map((segment, index) => {
      const prefix = speakers ? prefixOf(segment, labels) : '';
      const endMs = Math.max(segment.startMs, segment.endMs);
      return `${index + 1}\n${timecode(segment.startMs)} --> ${timecode(endMs)}\n${prefix}${oneLine(segment.text)}\n\n`;
    })
    .join('');
}

/** One line per turn, `SPEAKER_<nn>: text`; what one speaker says without another between is one turn. */
export function formatDiarization(segments: readonly Segment[]): string {
  const labels = speakerLabels(segments);
  const turns: { prefix: string; texts: string[] }[] = [];
  for (const segment of spoken(segments)) {
    const prefix = prefixOf(segment, labels);
    const turn = turns.at(-1);
    if (turn?.prefix === prefix) turn.texts.push(oneLine(segment.text));
    else turns.push({ prefix, texts: [oneLine(segment.text)] });
  }
  return turns.map((turn) => turn.prefix + joinTexts(turn.texts)).join('\n');
}

function spoken(segments: readonly Segment[]): Segment[] {
  return segments.filter((segment) => segment.text.trim() !== '');
}

function joinTexts(texts: readonly string[]): string {
  let joined = '';
  // Before the first text as after punctuation: no space.
  let last = '，';
  for (const text of texts) {
    if (text === '') continue;
    joined += FULL_WIDTH_PUNCTUATION.has(last) ? text : ` ${text}`;
    last = text.slice(-1);
  }
  return joined;
}

/** A line break inside a text would end its block early. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Speakers are numbered as they first speak, whatever the diarizer calls them. */
function speakerLabels(segments: readonly Segment[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { speaker } of spoken(segments)) {
    if (speaker !== null && !labels.has(speaker)) {
      labels.set(speaker, `SPEAKER_${String(labels.size).padStart(2, '0')}`);
    }
  }
  return labels;
}

function prefixOf({ speaker }: Segment, labels: Map<string, string>): string {
  return speaker === null ? '' : `${labels.get(speaker)}: `;
}

function timecode(timeMs: number): string {
  const ms = Math.max(0, Math.round(timeMs));
  const time = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map((part) => padded(Math.floor(part), 2));
  return `${time.join(':')},${padded(ms % 1_000, 3)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
