import { InvalidRequestError } from './errors.ts';
import type { ApiPromise } from './http/api-promise.ts';
import { randomId } from './http/random-id.ts';
import type { RequestOptions, RequestSpec, Transport } from './http/transport.ts';
import { writeFile } from '#platform';
import type { Language, Suggested, TimedSpeech } from './types.ts';

/**
 * Options of a text to speak. `speed`, `pitch`, `duration` and the like only apply to complete
 * files.
 */
export type SpeakOptions = RequestOptions & {
  /**
   * The id of a voice, or `default`, `female`, `male`. Defaults to a public voice of the language.
   */
  voice?: string | undefined;
  /** Language of the text. Defaults to `cantonese`. */
  language?: Suggested<Language> | undefined;
  /** Variation of the intonation, 0 to 2; with 0 it is the same each time. */
  temperature?: number | undefined;
  /** Nucleus sampling, above 0 and at most 1. */
  topP?: number | undefined;
  /**
   * Ids of the corpora whose words are said as their jyutping says; an empty list uses none.
   * Defaults to those of the account.
   */
  corpora?: readonly string[] | undefined;
  /**
   * Requests with the same key within a day are charged once. Defaults to a new key for each use.
   */
  idempotencyKey?: string | undefined;
} & FileOptions;

type FileOptions = {
  format?: SpeechFormat | undefined;
  /** Sample rate in hertz, 8000 to 48000. Defaults to 24000. */
  sampleRate?: number | undefined;
  /** Factor of the speech rate, 0.5 to 3; 1 is the voice's own rate. */
  speed?: number | undefined;
  /** Shift of the pitch in semitones, −12 to 12. */
  pitch?: number | undefined;
  /** Duration of the file in seconds. */
  duration?: number | undefined;
  /** Syllables with tones, as readings of the text. */
  jyutping?: string | undefined;
  /** True for a text in Simplified characters. */
  fromSimplified?: boolean | undefined;
  /** True to normalize the loudness. */
  enhance?: boolean | undefined;
  /** A synthesis model of `models.list()`. */
  model?: string | undefined;
};

export type SpeechFormat = 'wav' | 'mp3' | 'ogg' | 'flac';

/** The sample rate of streamed speech in Hz. */
export const STREAM_SAMPLE_RATE = 24_000;

const FORMATS: ReadonlySet<string> = new Set(['wav', 'mp3', 'ogg', 'flac'] satisfies SpeechFormat[]);
/** Options that only complete files can have. */
const FILE_ONLY = [
  'format',
  'sampleRate',
  'speed',
  'pitch',
  'duration',
  'jyutping',
  'fromSimplified',
  'enhance',
  'model',
] as const satisfies (keyof FileOptions)[];
/** Timeout in milliseconds: a long text takes minutes until its file is complete. */
const FILE_TIMEOUT_MS = 600_000;

/**
 * Speech that is made on request: iterate over it for sound while it is made, or ask for a file.
 * Each use is a separate request, and charged.
 */
export class Speech implements AsyncIterable<Uint8Array> {
  readonly #transport: Transport;
  readonly #text: string;
  readonly #options: SpeakOptions;

  constructor(transport: Transport, text: string, options: SpeakOptions) {
    this.#transport = transport;
    this.#text = text;
    this.#options = options;
  }

  /**
   * Yields raw PCM while it is made: signed, 16 bit, little-endian, 24,000 Hz, mono; whole samples.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    let unpaired: Uint8Array = new Uint8Array(0);
    for await (const piece of await this.stream()) {
      const bytes = unpaired.length === 0 ? piece : joined(unpaired, piece);
      const evenLength = bytes.length - (bytes.length % 2);
      unpaired = bytes.subarray(evenLength);
      if (evenLength > 0) yield bytes.subarray(0, evenLength);
    }
  }

  /**
   * Yields the pieces as the network delivers them; `withResponse` has the headers. Needs a plan
   * with streaming.
   */
  stream(): ApiPromise<AsyncGenerator<Uint8Array>> {
    const wrong = FILE_ONLY.find((name) => this.#options[name] !== undefined);
    if (wrong !== undefined) {
      throw new InvalidRequestError(`Streamed speech has no option "${wrong}"; use toFile or blob.`, {
        code: 'invalid_argument',
      });
    }
    const { voice = 'default', language } = this.#options;
    const json = { text: this.#text, voice_id: voice, language, ...this.#saying() };
    return this.#transport.stream(this.#request('/api/tts-stream', json), this.#options);
  }

  /** Returns a complete file. */
  blob(): ApiPromise<Blob> {
    return this.#transport.blob(this.#fileRequest({}), this.#options);
  }

  /** Returns a complete file in base64, with the times of its words. */
  withTimestamps(): ApiPromise<TimedSpeech> {
    return this.#transport.json(this.#fileRequest({ should_return_timestamp: true }), this.#options);
  }

  /**
   * Writes a complete file; its extension is the format: wav, mp3, ogg or flac. Not available in
   * browsers.
   */
  async toFile(path: string): Promise<void> {
    const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
    const format = this.#options.format ?? extension;
    if (!FORMATS.has(format)) {
      throw new InvalidRequestError(`The extension of ${path} must be wav, mp3, ogg or flac.`, {
        code: 'invalid_argument',
      });
    }
    const request = this.#fileRequest({ output_extension: format });
    await writeFile(path, await this.#transport.stream(request, this.#options));
  }

  #fileRequest(fields: Record<string, unknown>): RequestSpec {
    const options = this.#options;
    const json = {
      text: this.#text === '' ? undefined : this.#text,
      voice_id: options.voice,
      language: options.language,
      output_extension: options.format,
      frame_rate: options.sampleRate,
      speed: options.speed,
      pitch: options.pitch,
      ...this.#saying(),
      duration: options.duration,
      jyutping: options.jyutping,
      should_convert_from_simplified_to_traditional: options.fromSimplified,
      should_enhance: options.enhance,
      model_id: options.model,
      ...fields,
    };
    return { ...this.#request('/api/tts', json), timeoutMs: FILE_TIMEOUT_MS };
  }

  #saying() {
    const { temperature, topP, corpora } = this.#options;
    const corpus_ids = corpora === undefined || corpora.length > 0 ? corpora : 'none';
    return { temperature, top_p: topP, corpus_ids };
  }

  #request(path: string, json: object): RequestSpec {
    const headers = { 'idempotency-key': this.#options.idempotencyKey ?? randomId() };
    return { method: 'POST', path, body: { json }, headers, repetition: 'harmless' };
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
