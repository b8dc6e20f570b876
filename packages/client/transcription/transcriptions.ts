import { apiPromise, mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import { openUpload } from '#client/http/open-upload.ts';
import { randomId } from '#client/http/random-id.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import type { Upload, UploadSource } from '#client/http/upload.ts';
import type { ListedTranscription, TranscriptionRecord } from '#client/types.ts';
import { findRecord } from './follow.ts';
import { TranscriptionJob } from './job.ts';
import { fieldsOf, type TranscribeOptions } from './options.ts';

export type ListOptions = RequestOptions & {
  /** Number of transcriptions in one request, 1 to 100. Defaults to 20. */
  pageSize?: number | undefined;
  status?: ListedTranscription['status'] | undefined;
  batchId?: string | undefined;
  /** Id after which the list begins. */
  before?: string | undefined;
  /** Only transcriptions that have all of these tags. */
  tags?: readonly string[] | undefined;
};

export type SearchOptions = Pick<ListOptions, keyof RequestOptions | 'pageSize' | 'before' | 'tags'> & {
  /** Defaults to `any`: in the texts, and in the readings if the query can be jyutping. */
  in?: 'any' | 'text' | 'jyutping' | undefined;
  /** Defaults to `best`. */
  order?: 'best' | 'newest' | undefined;
  /**
   * Gets the number of transcriptions that are found, at most 10,000, and of older ones that cannot
   * be found yet, when the first of them arrive.
   */
  onFound?: ((found: { total: number; unindexed: number }) => void) | undefined;
};

/** Transcriptions that were submitted together. `id` is for `list`; null for a single one. */
export type Batch<Options> = { id: string | null; jobs: TranscriptionJob<Options>[] };

type PageOptions = Omit<ListOptions & SearchOptions, 'before' | 'onFound'> & { query?: string };
type ExportFormat = 'json' | 'txt' | 'srt' | 'vtt' | 'md' | 'docx';
type Tag = { tag: string; count: number };
type Submitted = { data: { request_id: string } };
type Page = { transcriptions: ListedTranscription[]; has_more: boolean; total?: number; unindexed?: number };
type SubmittedBatch = { data: { batch_id: string; transcriptions: { request_id: string }[] } };

/** Submits recordings, and finds their transcriptions. */
export class Transcriptions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Submits a recording. A URL of http or https is fetched by the server, and must be public.
   * Sending the same submission again, such as after a broken connection, is charged once.
   */
  submit<const Options extends TranscribeOptions>(
    source: UploadSource,
    options: Options,
  ): ApiPromise<TranscriptionJob<Options>> {
    const address = addressOf(source);
    const open = async () => (address === null ? [await openUpload(source, options.fileName)] : []);
    const response = this.#send<Submitted>(open, { ...fieldsOf(options), data_url: address ?? undefined }, options);
    return mapPromise(response, ({ data }) => this.job<Options>(data.request_id));
  }

  /** Submits up to 20 recordings: all are accepted, with quota for all, or none. */
  submitBatch<const Options extends TranscribeOptions>(
    sources: readonly UploadSource[],
    options: Options,
  ): ApiPromise<Batch<Options>> {
    const [first] = sources;
    if (sources.length === 1 && first !== undefined) {
      return mapPromise(this.submit(first, options), (job) => ({ id: null, jobs: [job] }));
    }
    const open = () => Promise.all(sources.map((source) => openUpload(source)));
    return mapPromise(this.#send<SubmittedBatch>(open, fieldsOf(options), options), ({ data }) => ({
      id: data.batch_id,
      jobs: data.transcriptions.map(({ request_id: id }) => this.job<Options>(id)),
    }));
  }

  /** Returns a transcription that was submitted before, without asking the server for it. */
  job<const Options = TranscribeOptions>(id: string): TranscriptionJob<Options> {
    return new TranscriptionJob<Options>(this.#transport, id);
  }

  /** Returns a record. Throws NotFoundError for an unknown id. */
  get(id: string, options?: RequestOptions): Promise<TranscriptionRecord> {
    return findRecord(this.#transport, id, options);
  }

  /**
   * Yields all transcriptions, newest first; pages are requested when they are needed. Each one may
   * be deleted in the loop: the next page is requested before the last one of a page is yielded.
   */
  async *list({ before, ...options }: ListOptions = {}): AsyncGenerator<ListedTranscription> {
    yield* this.#pages(options, before);
  }

  /**
   * Yields the transcriptions that contain all words of a query, with the segments that match. A
   * word may be in either script or jyutping with or without tones; quotes keep words together.
   */
  async *search(
    query: string,
    { before, onFound, ...options }: SearchOptions = {},
  ): AsyncGenerator<ListedTranscription> {
    yield* this.#pages({ ...options, query }, before, onFound);
  }

  async *#pages(
    options: PageOptions,
    before: string | undefined,
    onFound?: SearchOptions['onFound'],
  ): AsyncGenerator<ListedTranscription> {
    let page = await this.#page(options, before);
    onFound?.({ total: page.total ?? page.transcriptions.length, unindexed: page.unindexed ?? 0 });
    for (;;) {
      yield* page.transcriptions.slice(0, -1);
      const last = page.transcriptions.at(-1);
      if (last === undefined) return;
      const next = page.has_more ? await this.#page(options, last.request_id) : null;
      yield last;
      if (next === null) return;
      page = next;
    }
  }

  /** Returns the tags of the account and how many transcriptions have them. */
  async tags(options?: RequestOptions): Promise<Tag[]> {
    const spec = { method: 'GET', path: '/api/speech-to-text/tags' } as const;
    return (await this.#transport.json<{ tags: Tag[] }>(spec, options)).tags;
  }

  /** Returns a ZIP file with the files of up to 100 completed transcriptions. */
  export(ids: readonly string[], format: ExportFormat, options?: RequestOptions): ApiPromise<Blob> {
    const path = '/api/speech-to-text/exports';
    const spec = { method: 'POST', path, body: { json: { ids, format } }, repetition: 'harmless' } as const;
    return this.#transport.blob(spec, options);
  }

  /** Deletes up to 100 transcriptions. Returns how many there were, and the ids of no one. */
  async deleteMany(ids: readonly string[], options?: RequestOptions): Promise<{ deleted: number; unknown: string[] }> {
    const path = '/api/speech-to-text/deletions';
    const spec = { method: 'POST', path, body: { json: { ids } }, repetition: 'harmless' } as const;
    const { deleted, unknown } = await this.#transport.json<{ deleted: number; unknown: string[] }>(spec, options);
    return { deleted, unknown };
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.job(id).delete(options);
  }

  #page(options: PageOptions, before: string | undefined): Promise<Page> {
    const { pageSize, status, batchId, tags, query: words, in: where, order, ...request } = options;
    const tag = tags === undefined || tags.length === 0 ? undefined : tags.join(',');
    const query = { limit: pageSize, status, batch_id: batchId, tag, query: words, in: where, order, before };
    return this.#transport.json<Page>({ method: 'GET', path: '/api/speech-to-text', query }, request);
  }

  #send<Answer>(
    open: () => Promise<Upload[]>,
    fields: Record<string, string | number | boolean | undefined>,
    options: TranscribeOptions,
  ): ApiPromise<Answer> {
    const headers = { 'idempotency-key': options.idempotencyKey ?? randomId() };
    const send = async () => {
      const form = {
        fields: { ...fields, wait_for_completion: false },
        fileField: 'data',
        files: await open(),
        onProgress: options.onUploadProgress,
      };
      const spec = { method: 'POST', path: '/api/stt', body: { form }, headers, repetition: 'harmless' } as const;
      return this.#transport.json<Answer>(spec, options).withResponse();
    };
    return apiPromise(send());
  }
}

/** Returns the address of a recording that the server fetches; null for one that is sent. */
function addressOf(source: UploadSource): string | null {
  if (source instanceof URL) return source.protocol === 'file:' ? null : source.href;
  return typeof source === 'string' && /^https?:\/\//i.test(source) ? source : null;
}
