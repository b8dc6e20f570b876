import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import { errorFromBody, type ErrorBody } from '#client/http/read-error.ts';
import { apiPromise } from '#client/http/api-promise.ts';
import { randomId } from '#client/http/random-id.ts';
import type { RequestOptions, RequestSpec, Transport } from '#client/http/transport.ts';
import type { CaptionTracks, Suggested, SummaryLanguage, VideoSummary, VideoUsage } from '#client/types.ts';

export type SummarizeOptions = RequestOptions & {
  /** The language of the summary. Absent: `cantonese`. */
  language?: Suggested<SummaryLanguage> | undefined;
  /** A caption track by its name or code. Absent: the first. */
  subtitles?: string | undefined;
  /** The transcript of the video; captions are then not downloaded. */
  transcript?: string | undefined;
  /** Requests with the same key within a day are charged once. Absent: a new key for each call. */
  idempotencyKey?: string | undefined;
};

/** Captions are fetched and a language model writes, which may take minutes. */
const TIMEOUT_MS = 600_000;

/** Videos: summaries, caption tracks, credits. */
export class Videos {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Throws for problems of the video too, such as `no_subtitles`; these cost no credit. */
  summarize(url: string | URL, options: SummarizeOptions = {}): ApiPromise<VideoSummary> {
    const { language, subtitles, transcript, idempotencyKey = randomId() } = options;
    const json = { url: String(url), summaryLanguage: language, subtitleLanguage: subtitles, transcript };
    const path = '/api/video-summary/summarize-from-url';
    const headers = { 'idempotency-key': idempotencyKey };
    const spec = {
      method: 'POST',
      path,
      body: { json },
      headers,
      repetition: 'harmless',
      timeoutMs: TIMEOUT_MS,
    } as const;
    return this.#ask(spec, options);
  }

  /** The caption tracks of a video; costs nothing. */
  captions(url: string | URL, options?: RequestOptions): ApiPromise<CaptionTracks> {
    const path = '/api/video-summary/list-languages';
    return this.#ask({ method: 'GET', path, query: { url: String(url) }, timeoutMs: TIMEOUT_MS }, options);
  }

  /** Summaries of this period: how many were made, and how many are left. */
  usage(options?: RequestOptions): ApiPromise<VideoUsage> {
    const sent = this.#transport.json<VideoUsage>({ method: 'GET', path: '/api/video-summary/get-usage' }, options);
    return mapPromise(sent, (usage) => usage);
  }

  /** Problems of a video are answered with the status 200. */
  #ask<Data>(spec: RequestSpec, options?: RequestOptions): ApiPromise<Data> {
    const ask = async () => {
      const answer = await this.#transport.json<Data & { success: boolean } & ErrorBody>(spec, options).withResponse();
      if (!answer.data.success) throw errorFromBody(answer.data, answer.response);
      return answer;
    };
    return apiPromise(ask());
  }
}
