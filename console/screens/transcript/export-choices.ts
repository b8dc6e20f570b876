import { signal } from '@preact/signals';
import type { DocumentOptions, SubtitleOptions, TranslationLanguage } from '@jyutsing/client';

export const FORMATS = ['srt', 'vtt', 'txt', 'md', 'docx', 'apkg', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** The choices of an export. They stay while the tab is open, for a second file. */
export const exportChoices = {
  format: signal<Format>('srt'),
  language: signal<TranslationLanguage | null>(null),
  isBilingual: signal(false),
  /** Subtitles as guides for Chinese ask for them. */
  isGuided: signal(false),
  times: signal<Readonly<Partial<Record<Format, boolean>>>>({ txt: false, md: true, docx: true }),
  hasReadings: signal(false),
  /** Whether names of speakers are shown; null: where there are several, or one has a name. */
  speakers: signal<boolean | null>(null),
  /** Whether a text of the built-in recognizer says so. */
  isNoted: signal(true),
};

const GUIDE = { maxLineLength: 16, maxLines: 2, minDuration: 0.833, readingSpeed: 9 };

const isOneOf =
  (...formats: readonly Format[]) =>
  (format: Format): boolean =>
    formats.includes(format);

/** The formats that have each choice. */
export const offers = {
  guide: isOneOf('srt', 'vtt'),
  times: isOneOf('txt', 'md', 'docx'),
  readings: isOneOf('md', 'docx'),
  speakers: isOneOf('srt', 'vtt', 'txt', 'md', 'docx'),
  bilingual: isOneOf('srt', 'vtt', 'txt', 'md', 'docx'),
  note: isOneOf('srt', 'vtt', 'txt', 'md', 'docx'),
};

type Lines = { note: string | null; speakerLabel: string };

/** The options of a file in the chosen format, but for its language. */
export function chosenFileOptions({ note, speakerLabel }: Lines): SubtitleOptions & DocumentOptions {
  const { format, isGuided, times, hasReadings, speakers } = exportChoices;
  const shape = format.value;
  return {
    ...(isGuided.value && offers.guide(shape) ? GUIDE : {}),
    ...(offers.times(shape) ? { times: times.value[shape] } : {}),
    ...(offers.readings(shape) ? { jyutping: hasReadings.value, speakerLabel, note: note ?? undefined } : {}),
    ...(speakers.value !== null && offers.speakers(shape) ? { speakers: speakers.value } : {}),
  };
}

const RECORDING =
  /\.(?:wav|mp3|m4a|m4b|aac|ogg|oga|opus|flac|webm|weba|mp4|m4v|mov|mkv|avi|wma|amr|aiff?|caf|3gp|wmv|mpe?g|ts)$/i;
/** Chinese characters take three bytes of a name, which may have 255. */
const MAX_CHARACTERS = 75;

/**
 * The name of a file of a transcript: its title without the extension of the recording, and the tag
 * of its language, by which players tell subtitles apart.
 */
export function exportName(title: string, tag: string | null, format: Format): string {
  const name = [...title.replace(RECORDING, '').trim()].slice(0, MAX_CHARACTERS).join('');
  return `${name}${tag === null ? '' : `.${tag}`}.${format}`;
}
