import { mapPromise, apiPromise, type ApiPromise } from '#client/http/api-promise.ts';
import { openUpload } from '#client/http/open-upload.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import type { UploadProgress, UploadSource } from '#client/http/upload.ts';
import type { Language, Suggested, Voice, VoiceSummary } from '#client/types.ts';

export type NewVoice = RequestOptions & {
  /** Name of 1 to 100 characters. */
  name: string;
  /** Recording of one speaker, 3 to 30 seconds. */
  sample: UploadSource;
  /** Must be true: the speaker agrees to being imitated. */
  consent: true;
  /** Language of the sample. Defaults to `cantonese`. */
  language?: Suggested<Language> | undefined;
  /** The words of the sample. */
  transcript?: string | undefined;
  /** A speech model for this voice in the languages that it knows. */
  engine?: string | undefined;
  gender?: Voice['gender'] | undefined;
  description?: string | undefined;
  onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
};

const PATH = '/api/voices';

/** Voices that speak: shipped ones, and those of the account. */
export class Voices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the voices, the public ones first. */
  list(options?: RequestOptions): ApiPromise<VoiceSummary[]> {
    const response = this.#transport.json<{ voices: VoiceSummary[] }>({ method: 'GET', path: PATH }, options);
    return mapPromise(response, ({ voices }) => voices);
  }

  get(id: string, options?: RequestOptions): ApiPromise<Voice> {
    const spec = { method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` } as const;
    return mapPromise(this.#transport.json<{ voice: Voice }>(spec, options), ({ voice }) => voice);
  }

  /** Returns the recording that is imitated: WAV, 24 kHz, mono. */
  sample(id: string, options?: RequestOptions): ApiPromise<Blob> {
    return this.#transport.blob({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}/sample` }, options);
  }

  /**
   * Checks a recording without making a voice. Rejects with the code `unsuitable_sample` where it
   * is too short, clipped or noisy, or several people speak in it.
   */
  check(sample: UploadSource, options?: RequestOptions): ApiPromise<{ sample_seconds: number }> {
    const send = async () => {
      const form = { fields: {}, fileField: 'sample', files: [await openUpload(sample)] };
      const spec = { method: 'POST', path: `${PATH}/check`, body: { form } } as const;
      return this.#transport.json<{ sample_seconds: number }>(spec, options).withResponse();
    };
    return mapPromise(apiPromise(send()), ({ sample_seconds }) => ({ sample_seconds }));
  }

  /** Makes a voice of a recording. Only the account can use it. */
  create({ sample, onUploadProgress: onProgress, ...voice }: NewVoice): ApiPromise<Voice> {
    const { name, language, transcript, engine, gender, description, consent, ...request } = voice;
    const fields = { name, language, transcript, engine, gender, description, consent };
    const send = async () => {
      const form = { fields, fileField: 'sample', files: [await openUpload(sample)], onProgress };
      const spec = { method: 'POST', path: PATH, body: { form } } as const;
      return this.#transport.json<{ voice: Voice }>(spec, request).withResponse();
    };
    return mapPromise(apiPromise(send()), (answer) => answer.voice);
  }

  /** Deletes a voice of the account, with its sample. */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` }, options);
  }
}
