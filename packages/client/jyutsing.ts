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
import type { TranscriptionJob } from './transcription/job.ts';
import type { TranscribeOptions } from './transcription/options.ts';
import { Transcriptions } from './transcription/transcriptions.ts';
import type { ClientSecret, Health, Language, OwnUsage, Score, ServiceInfo, VideoSummary } from './types.ts';

export type ClientOptions = {
  /** The address of the service. Absent: JYUTSING_URL, or http://127.0.0.1:8080. */
  baseUrl?: string | URL | undefined;
  /** Absent: JYUTSING_API_KEY. */
  apiKey?: string | undefined;
  /**
   * In place of `platformFetch`. In browsers it should call `init.onSent` as bytes of an upload are
   * sent: without it there is no progress, and the whole upload must fit into `timeout`.
   */
  fetch?: Fetch | undefined;
  /** Milliseconds in which something must be sent or received; 0: no limit. Absent: 60 seconds. */
  timeout?: number | undefined;
  /** How often a failed request is sent again. Absent: 3. */
  maxRetries?: number | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
};

export type ScoreOptions<Of extends Language = Language> = RequestOptions & {
  /** The language of the text. Absent: `cantonese`. */
  language?: Of | undefined;
  /** An id of your own for the person who speaks: their tones are judged better from then on. */
  speaker?: string | undefined;
  onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
};

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
    const { baseUrl = readVariable('JYUTSING_URL') ?? DEFAULT_URL, fetch: own } = options;
    this.#transport = new Transport({
      baseUrl: String(baseUrl).replace(/\/+$/, ''),
      apiKey: options.apiKey ?? readVariable('JYUTSING_API_KEY'),
      fetch: own ?? platformFetch,
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

  /** Submits a recording; the job waits for its text, follows its progress, or ends it. */
  transcribe<const Options extends TranscribeOptions = Record<never, never>>(
    source: UploadSource,
    options?: Options & TranscribeOptions,
  ): ApiPromise<TranscriptionJob<Options>> {
    return this.transcriptions.submit(source, options ?? ({} as Options));
  }

  /** Speech for a text: iterate over it for sound while it is made, or ask for a file. */
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
      // Scores cost nothing.
      const spec = { method: 'POST', path, body: { form }, repetition: 'harmless' } as const;
      return this.#transport.json<Score<Of>>(spec, options).withResponse();
    };
    return apiPromise(send());
  }

  /** Opens a recognition of live sound. Its code is loaded when it is first used. */
  async listen(options: ListenOptions = {}): Promise<LiveSession> {
    const { openLiveSession } = await import('./live.ts');
    return openLiveSession(this.#transport, options);
  }

  /**
   * A key for one live session, to be given to a browser in place of the key of the account.
   * Seconds until it expires: absent, 600.
   */
  clientSecret(options: RequestOptions & { expiresAfterSeconds?: number } = {}): ApiPromise<ClientSecret> {
    const { expiresAfterSeconds: seconds, ...request } = options;
    const json = seconds === undefined ? {} : { expires_after: { anchor: 'created_at', seconds } };
    return this.#transport.json({ method: 'POST', path: '/v1/realtime/client_secrets', body: { json } }, request);
  }

  /** The transcript of a video and a summary; the same as `videos.summarize`. */
  summarize(url: string | URL, options?: SummarizeOptions): ApiPromise<VideoSummary> {
    return this.videos.summarize(url, options);
  }

  /** The readings of a Cantonese text, with numbers read out: `nei5 hou2`. Costs nothing. */
  jyutping(text: string, options?: RequestOptions): ApiPromise<string> {
    const spec = { method: 'POST', path: '/api/text-to-jyutping', body: { json: { text } } } as const;
    const sent = this.#transport.json<{ result: string }>({ ...spec, repetition: 'harmless' }, options);
    return mapPromise(sent, ({ result }) => result);
  }

  /** Plan, quotas and usage of the account of the key, and what the key may do. */
  usage(options?: RequestOptions): ApiPromise<OwnUsage> {
    return this.#transport.json({ method: 'GET', path: '/api/usage' }, options);
  }

  /**
   * Whether the server takes requests; throws ServerError (503) while it starts or stops. Needs no
   * key.
   */
  health(options?: RequestOptions): ApiPromise<Health> {
    return this.#transport.json({ method: 'GET', path: '/health' }, { maxRetries: 0, ...options });
  }

  /** Name, version and addresses of the service. Needs no key. */
  info(options?: RequestOptions): ApiPromise<ServiceInfo> {
    return this.#transport.json({ method: 'GET', path: '/', headers: { accept: 'application/json' } }, options);
  }

  /** Metrics in the Prometheus text format, where the server lets this key read them. */
  metrics(options?: RequestOptions): ApiPromise<string> {
    return this.#transport.text({ method: 'GET', path: '/metrics' }, options);
  }

  /** The secret for `unwrapWebhook`; made by the first request for it. */
  webhookSecret(options?: RequestOptions): ApiPromise<string> {
    return secretOf(this.#transport.json({ method: 'GET', path: '/api/webhook-secret' }, options));
  }

  /** Replaces the secret; later deliveries are signed with the new one. */
  rotateWebhookSecret(options?: RequestOptions): ApiPromise<string> {
    return secretOf(this.#transport.json({ method: 'POST', path: '/api/webhook-secret/rotate' }, options));
  }
}

const secretOf = (sent: ApiPromise<{ secret: string }>) => mapPromise(sent, ({ secret }) => secret);
