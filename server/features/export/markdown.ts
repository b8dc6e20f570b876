import { readPieces } from '#features/transcription/character-readings.ts';
import { clock, paragraphsOf, writeAll, type ExportedSegment, type ExportedTranscript } from './exported-transcript.ts';

export type DocumentOptions = {
  /** The time at which each paragraph begins. */
  times: boolean;
  /** Jyutping over the characters. */
  jyutping: boolean;
};

/** The transcript in Markdown: a heading, and a paragraph for each turn. */
export async function writeMarkdown(transcript: ExportedTranscript, options: DocumentOptions): Promise<string> {
  const heading = transcript.title === null ? [] : [`# ${escaped(oneLine(transcript.title))}`];
  if (transcript.note !== null) heading.push(`> ${atLineStart(escaped(oneLine(transcript.note)))}`);
  const paragraphs = await writeAll(paragraphsOf(transcript.segments), async ({ speaker, startMs, segments }) => {
    const time = options.times ? `\`${clock(startMs)}\`` : '';
    const name = transcript.showsSpeakers && speaker !== null ? `**${escaped(oneLine(speaker))}**` : '';
    const lead = [time, name].filter((part) => part !== '').join(' ');
    const text = joined(
      await writeAll(segments, (segment) => (options.jyutping ? ruby(segment) : escaped(oneLine(segment.text)))),
    );
    const translation = joined(await writeAll(segments, (segment) => escaped(oneLine(segment.translation ?? ''))));
    const quoted = translation === '' ? '' : `\n\n> ${atLineStart(translation)}`;
    return `${lead === '' ? '' : `${lead} `}${lead === '' ? atLineStart(text) : text}${quoted}`;
  });
  return `${[...heading, ...paragraphs].join('\n\n')}\n`;
}

function ruby(segment: ExportedSegment): string {
  return readPieces({ ...segment, text: oneLine(segment.text) })
    .map(({ text, jyutping }) => (jyutping === null ? escaped(text) : `<ruby>${text}<rt>${jyutping}</rt></ruby>`))
    .join('');
}

const WIDE_PUNCTUATION = new Set('，。！？；：、…」』）》');

/** Segments with a space between them, as in a plain text; none after wide punctuation. */
export function joined(texts: readonly string[]): string {
  let whole = '';
  let last = '';
  for (const text of texts) {
    if (text === '') continue;
    whole += last === '' || WIDE_PUNCTUATION.has(last) ? text : ` ${text}`;
    last = text.at(-1) ?? '';
  }
  return whole;
}

export const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();

/** Characters that have a meaning in Markdown, and tags. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&|~$]/g, (mark) => (mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`));
}

/** A text that would begin a heading, a list or a rule. */
function atLineStart(text: string): string {
  return text.replace(/^(?=[#>+=-])/, '\\').replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}
