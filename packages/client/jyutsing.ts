import { readVariable } from './environment.ts';
import { apiPromise, mapPromise, type ApiPromise } from './http/api-promise.ts';
import { openUpload } from './http/open-upload.ts';
import type { Fetch } from './http/fetch.ts';
import { platformFetch } from './http/platform-fetch.ts';
import { Transport, type RequestOptions } from './http/transport.ts';
import type { UploadProgress, UploadSource } from './http/upload.ts';
import type { ListenOptions, LiveSession } from './live.ts';
import { Accounts, Keys } from './resources/accounts.ts';
import { Corpora } from './resources/corpora.ts';
import { Models } from './resources/models.ts';
import { Videos, type SummarizeOptions } from './resources/videos.ts';
import { Voices } from './resources/voices.ts';
import { Speech, type SpeakOptions } from './speech.ts';
import type { SummaryOptions, TranscriptionJob } from './transcription/job.ts';
import type { TranscribeOptions } from './transcription/options.ts';
import { Transcriptions } from './transcription/transcriptions.ts';
import type {
  Alignment,
  ClientSecret,
  Health,
  Language,
  OwnUsage,
  Score,
  ServiceInfo,
  TextAboutTranscript,
  VideoSummary,
} from './types.ts';

export type ClientOptions = {
  /** Address of the service. Defaults to JYUTSING_URL, or http://127.0.0.1:8080. */
  baseUrl?: string | URL | undefined;
  /** Key of the account. Defaults to JYUTSING_API_KEY. */
  apiKey?: string | undefined;
  /**
   * Replaces `platformFetch`. In browsers it should call `init.onSent` as bytes of an upload are
   * sent: without it there is no progress, and the whole upload must fit into `timeout`.
   */
  fetch?: Fetch | undefined;
  /**
   * Milliseconds in which something must be sent or received; 0 for no limit. Defaults to 60
   * seconds.
   */
  timeout?: number | undefined;
  /** Number of times that a failed request is sent again. Defaults to 3. */
  maxRetries?: number | undefined;
  /** Headers that are sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
};

export type ScoreOptions<Of extends Language = Language> = RequestOptions & {
  /** Language of the text. Defaults to `cantonese`. */
  language?: Of | undefined;
  /**
   * An id that you choose for the person who speaks: their tones are judged better from then on.
   */
  speaker?: string | undefined;
  onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
};

export type AlignOptions = RequestOptions & {
  /** Language of the recording. Defaults to `cantonese`. */
  language?: Language | undefined;
  /** A file format in place of JSON; the result is then text. */
  format?: AlignmentFormat | undefined;
  onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
};
export type AlignmentFormat = 'srt' | 'vtt' | 'textgrid';

const DEFAULT_URL = 'http://127.0.0.1:8080';
const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 3;

/**
 * A client of a jyutsing service. Every method throws a JyutsingError of the family that says what
 * to do, and the reason of its `signal` when that is aborted.
 */
export class Jyutsing {
  readonly transcriptions: Transcriptions;
  readonly voices: Voices;
  readonly corpora: Corpora;
  readonly models: Models;
  readonly videos: Videos;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    const { baseUrl = readVariable('JYUTSING_URL') ?? DEFAULT_URL, fetch: customFetch } = options;
    this.#transport = new Transport({
      baseUrl: String(baseUrl).replace(/\/+$/, ''),
      apiKey: options.apiKey ?? readVariable('JYUTSING_API_KEY'),
      fetch: customFetch ?? platformFetch,
      timeoutMs: options.timeout ?? TIMEOUT_MS,
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      headers: options.headers ?? {},
    });
    this.transcriptions = new Transcriptions(this.#transport);
    this.voices = new Voices(this.#transport);
    this.corpora = new Corpora(this.#transport);
    this.models = new Models(this.#transport);
    this.videos = new Videos(this.#transport);
    this.accounts = new Accounts(this.#transport);
    this.keys = new Keys(this.#transport);
  }

  /**
   * Submits a recording; the returned job waits for its text, follows its progress, or cancels it.
   */
  transcribe<const Options extends TranscribeOptions = Record<never, never>>(
    source: UploadSource,
    options?: Options & TranscribeOptions,
  ): ApiPromise<TranscriptionJob<Options>> {
    return this.transcriptions.submit(source, options ?? ({} as Options));
  }

  /** Makes speech for a text: iterate over it for sound while it is made, or ask for a file. */
  speak(text: string, options: SpeakOptions = {}): Speech {
    return new Speech(this.#transport, text, options);
  }

  /** Scores the pronunciation of a text: a recording of 0.1 to 60 seconds, at most 10 MiB. */
  score<Of extends Language = 'cantonese'>(
    recording: UploadSource,
    text: string,
    options: ScoreOptions<Of> = {},
  ): ApiPromise<Score<Of>> {
    const { language, speaker, onUploadProgress: onProgress } = options;
    const send = async () => {
      const files = [await openUpload(recording)];
      const form = { fields: { text, language, speaker }, fileField: 'audio', files, onProgress };
      const path = '/api/score-pronunciation';
      // Scores cost nothing, so repeating the request is harmless.
      const spec = { method: 'POST', path, body: { form }, repetition: 'harmless' } as const;
      return this.#transport.json<Score<Of>>(spec, options).withResponse();
    };
    return apiPromise(send());
  }

  /**
   * Finds the times of a text in its recording, which may be as long as for `transcribe` and costs
   * the same; with `format` as a file.
   */
  align(recording: UploadSource, text: string, options: AlignOptions & { format: AlignmentFormat }): ApiPromise<string>;
  align(recording: UploadSource, text: string, options?: AlignOptions): ApiPromise<Alignment>;
  align(recording: UploadSource, text: string, options: AlignOptions = {}): ApiPromise<Alignment | string> {
    const { language = 'cantonese', format, onUploadProgress: onProgress } = options;
    // The server is silent until the whole recording was heard.
    const request = { timeout: 0, ...options };
    const send = async () => {
      const files = [await openUpload(recording)];
      const fields = { text, language, response_format: format ?? 'json' };
      const form = { fields, fileField: 'file', files, onProgress };
      const spec = { method: 'POST', path: '/v1/audio/alignments', body: { form } } as const;
      return format === undefined
        ? this.#transport.json<Alignment>(spec, request).withResponse()
        : this.#transport.text(spec, request).withResponse();
    };
    return apiPromise<Alignment | string>(send());
  }

  /** Opens a recognition of live sound. Its code is loaded when it is first used. */
  async listen(options: ListenOptions = {}): Promise<LiveSession> {
    const { openLiveSession } = await import('./live.ts');
    return openLiveSession(this.#transport, options);
  }

  /**
   * Makes a key for one live session, to be given to a browser in place of the key of the account.
   * `expiresAfterSeconds` defaults to 600.
   */
  clientSecret(options: RequestOptions & { expiresAfterSeconds?: number } = {}): ApiPromise<ClientSecret> {
    const { expiresAfterSeconds: seconds, ...request } = options;
    const json = seconds === undefined ? {} : { expires_after: { anchor: 'created_at', seconds } };
    return this.#transport.json({ method: 'POST', path: '/v1/realtime/client_secrets', body: { json } }, request);
  }

  /** Returns a summary, minutes or chapters of a text of your own, with the lines that say so. */
  summarizeText(
    transcript: string,
    options: SummaryOptions & { title?: string } = {},
  ): ApiPromise<TextAboutTranscript> {
    const { kind, language, title, ...request } = options;
    const body = { json: { transcript, kind, language, title } };
    return this.#transport.json({ method: 'POST', path: '/api/text/summary', body }, request);
  }

  /** Answers a question by what a text of your own says. */
  askText(
    transcript: string,
    question: string,
    { language, ...request }: Omit<SummaryOptions, 'kind'> = {},
  ): ApiPromise<TextAboutTranscript> {
    const body = { json: { transcript, question, language } };
    return this.#transport.json({ method: 'POST', path: '/api/text/questions', body }, request);
  }

  /** Returns the transcript and a summary of a video, like `videos.summarize`. */
  summarize(url: string | URL, options?: SummarizeOptions): ApiPromise<VideoSummary> {
    return this.videos.summarize(url, options);
  }

  /**
   * Returns the readings of a Cantonese text, with numbers read out: `nei5 hou2`. Costs nothing.
   */
  jyutping(text: string, options?: RequestOptions): ApiPromise<string> {
    const spec = { method: 'POST', path: '/api/text-to-jyutping', body: { json: { text } } } as const;
    const response = this.#transport.json<{ result: string }>({ ...spec, repetition: 'harmless' }, options);
    return mapPromise(response, ({ result }) => result);
  }

  /**
   * Returns the parts of a Cantonese text with their readings; null for what is not read in
   * Cantonese. A part is a character, or a number or sign with all its syllables.
   */
  readings(text: string, options?: RequestOptions): ApiPromise<{ character: string; jyutping: string | null }[]> {
    const body = { json: { text, outputType: 'list' } };
    const spec = { method: 'POST', path: '/api/text-to-jyutping', body, repetition: 'harmless' } as const;
    const response = this.#transport.json<{ result: { character: string; jyutping: string | null }[] }>(spec, options);
    return mapPromise(response, ({ result }) => result);
  }

  /** Returns plan, quotas and usage of the account of the key, and the permissions of the key. */
  usage(options?: RequestOptions): ApiPromise<OwnUsage> {
    return this.#transport.json({ method: 'GET', path: '/api/usage' }, options);
  }

  /**
   * Returns whether the server takes requests; throws ServerError (503) while it starts or stops.
   * Needs no key.
   */
  health(options?: RequestOptions): ApiPromise<Health> {
    return this.#transport.json({ method: 'GET', path: '/health' }, { maxRetries: 0, ...options });
  }

  /** Returns name, version and addresses of the service. Needs no key. */
  info(options?: RequestOptions): ApiPromise<ServiceInfo> {
    return this.#transport.json({ method: 'GET', path: '/', headers: { accept: 'application/json' } }, options);
  }

  /** Returns metrics in the Prometheus text format, where the server lets this key read them. */
  metrics(options?: RequestOptions): ApiPromise<string> {
    return this.#transport.text({ method: 'GET', path: '/metrics' }, options);
  }

  /** Returns the secret for `unwrapWebhook`, which the first request for it creates. */
  webhookSecret(options?: RequestOptions): ApiPromise<string> {
    return secretOf(this.#transport.json({ method: 'GET', path: '/api/webhook-secret' }, options));
  }

  /** Replaces the secret; later deliveries are signed with the new one. */
  rotateWebhookSecret(options?: RequestOptions): ApiPromise<string> {
    return secretOf(this.#transport.json({ method: 'POST', path: '/api/webhook-secret/rotate' }, options));
  }
}

const secretOf = (response: ApiPromise<{ secret: string }>) => mapPromise(response, ({ secret }) => secret);
