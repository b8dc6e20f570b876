import { NotFoundError, TranscriptionError } from '#client/errors.ts';
import type { ApiPromise } from '#client/http/api-promise.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import { delay } from '#client/http/retry.ts';
import type {
  SummaryKind,
  TextAboutTranscript,
  TextLanguage,
  TranscriptionRecord,
  Translation,
  TranslationLanguage,
} from '#client/types.ts';
import { findRecord, followTranscription, type FollowOptions, type TranscriptionProgress } from './follow.ts';
import type { TranscribeOptions, Transcript } from './options.ts';

/** Number of retries, about two minutes: enough for a server that restarts in between. */
const RESULT_RETRIES = 18;

/** A translation takes seconds to minutes. */
const TRANSLATION_POLL_MS = 2_000;

export type SummaryOptions = RequestOptions & {
  /** Defaults to `summary`. */
  kind?: SummaryKind | undefined;
  /** Defaults to `cantonese`. */
  language?: TextLanguage | undefined;
};

/** Selects a text: the corrected one, or the one that was recognized. Defaults to `final`. */
export type TextOptions = RequestOptions & {
  text?: 'final' | 'raw' | undefined;
  /** `original` leaves out what people corrected. Defaults to `edited`. */
  version?: 'edited' | 'original' | undefined;
  /** Whether names of speakers are shown. Defaults to whether they tell something. */
  speakers?: boolean | undefined;
  /** A translation that is completed, in place of the text. */
  language?: TranslationLanguage | undefined;
  /** With `language`: the text and its translation. */
  bilingual?: boolean | undefined;
};

export type SubtitleOptions = TextOptions & {
  /** Chinese characters in a line; letters count half. */
  maxLineLength?: number | undefined;
  /** Lines of a subtitle. Defaults to 1. */
  maxLines?: number | undefined;
  /** Seconds that a subtitle stays if the next one leaves time. */
  minDuration?: number | undefined;
  /** Chinese characters a second that people can read. */
  readingSpeed?: number | undefined;
};

export type DocumentOptions = TextOptions & {
  /** The time of each paragraph. Defaults to true. */
  times?: boolean | undefined;
  /** Jyutping over the characters. */
  jyutping?: boolean | undefined;
  /** A line below the title. */
  note?: string | undefined;
  /** The name of speakers without one, such as `Speaker {n}`. Defaults to their label. */
  speakerLabel?: string | undefined;
};

type FileOptions = SubtitleOptions & DocumentOptions;

/** A correction of a transcript; absent parts stay unchanged. */
export type TranscriptCorrection = {
  /** All segments in order, without overlap. Times are seconds. */
  segments?: readonly { start: number; end: number; text: string; speaker: string | null }[] | undefined;
  /** Names of speakers by label (`SPEAKER_<nn>`); speakers without a name are left out. */
  speakers?: Readonly<Record<string, string>> | undefined;
  title?: string | null | undefined;
  /** Replace all tags; alone they change no version. */
  tags?: readonly string[] | undefined;
};

export type SaveOptions = RequestOptions & {
  /**
   * The `version` of the transcript that was corrected; the code `conflict` reports that the server
   * has another one. `any` saves in any case. Defaults to 0, never saved before.
   */
  version?: number | 'any' | undefined;
};

/**
 * A transcription on the server. It goes on when this program ends; keep its `id` to find it again.
 */
export class TranscriptionJob<const Options = TranscribeOptions> {
  /** The `request_id` of the HTTP interface. */
  readonly id: string;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
  }

  /**
   * Yields the progress until the transcription is completed. Throws TranscriptionError when it
   * fails, and NotFoundError when it was deleted.
   */
  async *progress(options: FollowOptions = {}): AsyncGenerator<TranscriptionProgress, void> {
    for await (const update of followTranscription(this.#transport, this.id, options)) {
      if (!('record' in update)) yield update;
      else if (update.record.status === 'failed') throw failureOf(update.record);
      else if (update.record.status === 'completed') yield completed(update.record);
    }
  }

  /**
   * Waits for the transcript. Throws the errors of `progress`. An abort ends the waiting, but not
   * the work.
   */
  async wait(options: FollowOptions = {}): Promise<Transcript<Options>> {
    for await (const _ of this.progress(options));
    return this.json({ ...options, maxRetries: options.maxRetries ?? RESULT_RETRIES });
  }

  /**
   * Returns the record as it is now, with its status and the texts in the format of the HTTP
   * interface.
   */
  record(options?: RequestOptions): Promise<TranscriptionRecord> {
    return findRecord(this.#transport, this.id, options);
  }

  /**
   * Returns the transcript with all details. Throws InvalidRequestError while it is not completed.
   */
  json(options: TextOptions = {}): ApiPromise<Transcript<Options>> {
    return this.#transport.json(this.#file('json', options), options);
  }

  /**
   * Returns the transcript as plain text, with a line for each turn when speakers were told apart.
   */
  txt(options: TextOptions & { times?: boolean | undefined } = {}): ApiPromise<string> {
    return this.#transport.text(this.#file('txt', options), options);
  }

  /** Returns SubRip subtitles. */
  srt(options: SubtitleOptions = {}): ApiPromise<string> {
    return this.#transport.text(this.#file('srt', options), options);
  }

  /** Returns WebVTT subtitles. */
  vtt(options: SubtitleOptions = {}): ApiPromise<string> {
    return this.#transport.text(this.#file('vtt', options), options);
  }

  /** Returns the transcript in Markdown, with a paragraph for each turn. */
  md(options: DocumentOptions = {}): ApiPromise<string> {
    return this.#transport.text(this.#file('md', options), options);
  }

  /** Returns the transcript as a Word document. */
  docx(options: DocumentOptions = {}): ApiPromise<Blob> {
    return this.#transport.blob(this.#file('docx', options), options);
  }

  /** Returns an Anki deck with a card for each sentence, with sound if the recording was kept. */
  apkg(options: TextOptions = {}): ApiPromise<Blob> {
    return this.#transport.blob(this.#file('apkg', options), options);
  }

  /**
   * Saves what a person corrected; every text is made from it from then on. Returns the new
   * version.
   */
  async save(correction: TranscriptCorrection, { version = 0, ...request }: SaveOptions = {}): Promise<number> {
    const headers = { 'if-match': version === 'any' ? '*' : `"${version}"` };
    const path = `/api/speech-to-text/${encodeURIComponent(this.id)}`;
    // The second of two equal requests would be refused, so the request is not repeated.
    const spec = { method: 'PATCH', path, body: { json: correction }, headers, repetition: 'repeats' } as const;
    return (await this.#transport.json<{ version: number }>(spec, request)).version;
  }

  /** Returns the translations of the transcript and their states. */
  async translations(options?: RequestOptions): Promise<Translation[]> {
    const spec = { method: 'GET', path: this.#path('translations') } as const;
    return (await this.#transport.json<{ translations: Translation[] }>(spec, options)).translations;
  }

  /**
   * Translates the transcript, one text for each segment, and waits until files have it with
   * `language`. Throws TranscriptionError with the reason when it fails.
   */
  async translate(
    language: TranslationLanguage,
    { pollInterval = TRANSLATION_POLL_MS, ...options }: FollowOptions = {},
  ): Promise<void> {
    const spec = { method: 'POST', path: this.#path('translations'), body: { json: { language } } } as const;
    let { translation } = await this.#transport.json<{ translation: Translation }>(spec, options);
    while (translation.status === 'processing') {
      await delay(pollInterval, options.signal);
      const all = await this.translations(options);
      translation = all.find((one) => one.language === language) ?? { ...translation, status: 'failed' };
    }
    if (translation.status === 'completed') return;
    const { error = 'The transcript was edited while it was translated.', error_code: code = 'conflict' } = translation;
    throw new TranscriptionError(error, { code, status: 200, requestId: this.id });
  }

  /** Returns a summary, minutes or chapters, whose statements have the segments that say so. */
  summary({ kind, language, ...request }: SummaryOptions = {}): ApiPromise<TextAboutTranscript> {
    const spec = { method: 'POST', path: this.#path('summary'), body: { json: { kind, language } } } as const;
    return this.#transport.json(spec, request);
  }

  /** Answers a question by what the transcript says; without statements it says nothing. */
  ask(question: string, { language, ...request }: Omit<SummaryOptions, 'kind'> = {}): ApiPromise<TextAboutTranscript> {
    const spec = { method: 'POST', path: this.#path('questions'), body: { json: { question, language } } } as const;
    return this.#transport.json(spec, request);
  }

  #path(what: string): string {
    return `/api/speech-to-text/${encodeURIComponent(this.id)}/${what}`;
  }

  /** Returns the recording. Throws NotFoundError when it was not kept. */
  audio(options?: RequestOptions): ApiPromise<Blob> {
    const path = `/api/speech-to-text/${encodeURIComponent(this.id)}/audio`;
    return this.#transport.blob({ method: 'GET', path }, options);
  }

  /**
   * Ends the work, if it still runs, and deletes its record; what was recognized so far is charged.
   */
  async cancel(options?: RequestOptions): Promise<void> {
    try {
      await this.delete(options);
    } catch (failure) {
      // The record is gone already, so nothing is left to do.
      if (!(failure instanceof NotFoundError)) throw failure;
    }
  }

  /** Deletes the record with its texts. Throws NotFoundError when there is none. */
  async delete(options?: RequestOptions): Promise<void> {
    const path = `/api/speech-to-text/${encodeURIComponent(this.id)}`;
    await this.#transport.json({ method: 'DELETE', path }, options);
  }

  #file(format: 'json' | 'txt' | 'srt' | 'vtt' | 'md' | 'docx' | 'apkg', options: FileOptions) {
    const { text, version, speakers, times, jyutping, language, bilingual } = options;
    const path = `/api/speech-to-text/${encodeURIComponent(this.id)}.${format}`;
    const query = {
      text,
      version,
      speakers,
      times,
      jyutping,
      language,
      bilingual,
      note: options.note,
      speaker_label: options.speakerLabel,
      max_line_length: options.maxLineLength,
      max_lines: options.maxLines,
      min_duration: options.minDuration,
      reading_speed: options.readingSpeed,
    };
    return { method: 'GET', path, query } as const;
  }
}

function completed({ duration_s: durationSeconds }: TranscriptionRecord): TranscriptionProgress {
  return { fraction: 1, stage: 'completed', processedSeconds: durationSeconds, durationSeconds };
}

function failureOf({ error, error_code, request_id }: TranscriptionRecord): TranscriptionError {
  const message = error ?? 'The transcription failed.';
  return new TranscriptionError(message, { code: error_code ?? 'internal_error', status: 200, requestId: request_id });
}
