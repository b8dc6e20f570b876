import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import type { LanguageChoice } from '@jyutsing/contracts/transcript';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { ACCEPTED_CHOICES, readLanguage } from '@jyutsing/text/language-names';
import type { SoundFormat } from '#features/live/sound-input.ts';
import { parseFields } from '#http/fields.ts';
import type { LiveSettings } from '#http/live/live-stream.ts';

/**
 * A sentence has shorter pauses inside. Ended there, its parts are recognized worse, each without
 * what the other one says.
 */
const LEAST_SILENCE_MS = 300;

const ENCODINGS = ['linear16', 'mulaw', 'alaw', 'opus'] as const;
/** Deepgram's names for sound whose container says what it is. */
const IN_CONTAINERS: readonly string[] = ['', 'ogg-opus', 'containerized'];
/** The terms of a query or of a `Configure`. */
export const keyterms = z.array(z.string().max(200)).max(500);
/** Clients send `numerals=` for a setting that is not chosen. */
const FALSY = ['false', '0', 'no', 'off', 'n', 'disabled', ''];
const flag = z.stringbool({ falsy: FALSY, error: 'must be true or false' }).default(false);
const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** The fields of Deepgram that have an effect on live sound and recordings; others are ignored. */
const common = {
  model: z.string().max(200).optional().describe('A model of this server; an unknown one is ignored.'),
  language: z.string().max(100).default('auto').describe(`${ACCEPTED_CHOICES}, or multi.`),
  keyterm: z
    .union([z.string().max(200), keyterms])
    .optional()
    .describe('Words that are likely to occur.'),
  smart_format: flag.describe('As `numerals`.'),
  numerals: flag.describe('Numbers in digits where people write them.'),
};

const sampleFields = {
  sample_rate: whole(8_000, 96_000).default(16_000).describe('Hz.'),
  channels: whole(1, 8).default(1).describe('Mixed to one, without `multichannel`.'),
};

/** The query of live sound. */
export const ListenQuery = z.object({
  ...common,
  encoding: z
    .preprocess(
      (input) => (typeof input === 'string' && IN_CONTAINERS.includes(input) ? undefined : input),
      z.enum(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`).optional(),
    )
    .describe(
      'How the samples are written; `opus`: a packet in each message; absent: webm, ogg, wav, mp3, flac or aac.',
    ),
  ...sampleFields,
  interim_results: flag.describe('Also send text that may still change.'),
  endpointing: z
    .union([z.stringbool(), whole(10, 10_000)])
    .default(DEFAULT_TURN_DETECTION.silenceMs)
    .describe(`Milliseconds of silence that end an utterance; at least ${LEAST_SILENCE_MS} are waited for.`),
  utterance_end_ms: whole(1_000, 5_000).optional().describe('Send `UtteranceEnd` after each utterance.'),
  vad_events: flag.describe('Send `SpeechStarted`.'),
  diarize: flag.describe('Number up to four speakers in `words[].speaker`.'),
  multichannel: flag.describe('Recognize each channel of samples for itself.'),
});
export type ListenQuery = z.output<typeof ListenQuery>;

/** Throws `invalid_parameter`. */
export function parseListenQuery(query: unknown): ListenQuery {
  const parsed = parseFields(ListenQuery, query, 'invalid_parameter');
  languageOf(parsed);
  if (parsed.multichannel && parsed.channels > 1 && !isSamples(parsed.encoding)) {
    const remedy = 'send samples with the "encoding" linear16, mulaw or alaw, or the recording';
    throw new AppError(
      'invalid_parameter',
      `The field "multichannel" needs live sound without compression; ${remedy}.`,
    );
  }
  return parsed;
}

function isSamples(encoding: ListenQuery['encoding']): boolean {
  return encoding !== undefined && encoding !== 'opus';
}

/** The query of a recording. */
export const RecordingQuery = z.object({
  ...common,
  encoding: z
    .string()
    .max(50)
    .optional()
    .describe('`linear16`, `mulaw` or `alaw`: the body is bare samples. Other values, and files, are told by content.'),
  ...sampleFields,
  detect_language: z
    .union([flag, z.string(), z.array(z.string())])
    .default(false)
    .describe('True: the language is identified from the audio, whatever `language` says.'),
  diarize: flag.describe('Number the speakers in `words[].speaker`.'),
  utterances: flag.describe('Also answer with the stretches of speech.'),
  paragraphs: flag.describe('Also answer with sentences and paragraphs; so does `smart_format`.'),
  multichannel: flag.describe('Recognize each channel for itself; up to 8 channels.'),
  callback: z
    .string()
    .max(2_000)
    .optional()
    .describe('A public address that gets the answer as a signed POST; the response is then `{request_id}`, at once.'),
  callback_method: z
    .string()
    .regex(/^post$/i, 'must be post')
    .optional(),
});
export type RecordingQuery = z.output<typeof RecordingQuery>;

/** Throws `invalid_parameter`. */
export function parseRecordingQuery(query: unknown): RecordingQuery {
  const parsed = parseFields(RecordingQuery, query, 'invalid_parameter');
  languageOf(parsed);
  return parsed;
}

/** How the body of a recording is written if it is not a file; null: it must be one. */
export function samplesOf({
  encoding,
  sample_rate: sampleRateHz,
  channels,
}: Pick<RecordingQuery, 'encoding' | 'sample_rate' | 'channels'>): SoundFormat | null {
  const written = (['linear16', 'mulaw', 'alaw'] as const).find((name) => name === encoding);
  return written === undefined ? null : { encoding: written, sampleRateHz, channels };
}

/** The options of a recording; `model` is as sent. */
export function optionsOf(query: RecordingQuery): TranscriptionOptions {
  return {
    language: query.detect_language === false ? languageOf(query) : 'auto',
    withTimestamp: true,
    withDiarization: query.diarize,
    ...(query.multichannel ? { channels: 'separate' as const } : {}),
    ...numeralsOf(query),
    context: contextOf(query),
    skipFusion: false,
    corpusIds: null,
    model: query.model ?? null,
    ...(query.callback === undefined ? {} : { deepgramAnswer: shownParts(query) }),
  };
}

function shownParts({ diarize, utterances, paragraphs, smart_format: isSmart }: RecordingQuery) {
  return { diarize, utterances, paragraphs: paragraphs || isSmart };
}

export function settingsOf(query: ListenQuery, modelNamed: (name: string) => string | null): LiveSettings {
  const askedMs = typeof query.endpointing === 'number' ? query.endpointing : DEFAULT_TURN_DETECTION.silenceMs;
  const silenceMs = Math.max(LEAST_SILENCE_MS, askedMs);
  return {
    format: formatOf(query),
    language: languageOf(query),
    languages: null,
    context: contextOf(query),
    model: query.model === undefined ? null : modelNamed(query.model),
    turnDetection: { ...DEFAULT_TURN_DETECTION, silenceMs },
    ...numeralsOf(query),
    ...(query.diarize ? { diarize: true } : {}),
  };
}

function formatOf({ encoding, sample_rate: sampleRateHz, channels }: ListenQuery): LiveSettings['format'] {
  if (encoding === undefined) return { encoding: 'container' };
  return encoding === 'opus' ? { encoding, channels: Math.min(channels, 2) } : { encoding, sampleRateHz, channels };
}

function contextOf({ keyterm }: Pick<ListenQuery, 'keyterm'>): string | null {
  const terms = [keyterm ?? []].flat().join('、');
  return terms === '' ? null : terms;
}

function numeralsOf({ numerals, smart_format: smartFormat }: Pick<ListenQuery, 'numerals' | 'smart_format'>) {
  return numerals || smartFormat ? {} : { numerals: false as const };
}

function languageOf({ language }: Pick<ListenQuery, 'language'>): LanguageChoice {
  const read = language === 'multi' ? 'auto' : readLanguage(language);
  if (read === null) throw new AppError('invalid_parameter', `The field "language" must be ${ACCEPTED_CHOICES}.`);
  return read;
}
