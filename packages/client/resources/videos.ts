import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import { errorFromBody, type ErrorBody } from '#client/http/read-error.ts';
import { apiPromise } from '#client/http/api-promise.ts';
import { randomId } from '#client/http/random-id.ts';
import type { RequestOptions, RequestSpec, Transport } from '#client/http/transport.ts';
import type { CaptionTracks, Suggested, SummaryLanguage, VideoSummary, VideoUsage } from '#client/types.ts';

export type SummarizeOptions = RequestOptions & {
  /** Language of the summary. Defaults to `cantonese`. */
  language?: Suggested<SummaryLanguage> | undefined;
  /** A caption track by its name or code. Defaults to the first. */
  subtitles?: string | undefined;
  /** The transcript of the video; captions are then not downloaded. */
  transcript?: string | undefined;
  /**
   * Requests with the same key within a day are charged once. Defaults to a new key for each call.
   */
  idempotencyKey?: string | undefined;
};

/**
 * Timeout in milliseconds: the server fetches captions and a language model writes, which may take
 * minutes.
 */
const TIMEOUT_MS = 600_000;

/** Videos: summaries, caption tracks, credits. */
export class Videos {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Summarizes a video. Also throws for problems of the video, such as `no_subtitles`; these cost
   * no credit.
   */
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

  /** Lists the caption tracks of a video; costs nothing. */
  captions(url: string | URL, options?: RequestOptions): ApiPromise<CaptionTracks> {
    const path = '/api/video-summary/list-languages';
    return this.#ask({ method: 'GET', path, query: { url: String(url) }, timeoutMs: TIMEOUT_MS }, options);
  }

  /** Returns the numbers of summaries that were made in this period, and that are left. */
  usage(options?: RequestOptions): ApiPromise<VideoUsage> {
    const response = this.#transport.json<VideoUsage>({ method: 'GET', path: '/api/video-summary/get-usage' }, options);
    return mapPromise(response, (usage) => usage);
  }

  /** Sends a request; the server reports problems of videos with the status 200. */
  #ask<Data>(spec: RequestSpec, options?: RequestOptions): ApiPromise<Data> {
    const ask = async () => {
      const answer = await this.#transport.json<Data & { success: boolean } & ErrorBody>(spec, options).withResponse();
      if (!answer.data.success) throw errorFromBody(answer.data, answer.response);
      return answer;
    };
    return apiPromise(ask());
  }
}
