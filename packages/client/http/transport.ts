import { ConnectionError, InvalidRequestError, JyutsingError } from '#client/errors.ts';
import { apiPromise, type ApiPromise, type WithResponse } from './api-promise.ts';
import type { Fetch } from './fetch.ts';
import { encodeForm, type EncodedForm, type Form } from './form.ts';
import { startIdleTimer, type IdleTimer } from './idle-timer.ts';
import { readError } from './read-error.ts';
import { delay, mayRetry, retryDelayMs, type Repetition } from './retry.ts';
import { chunksOf } from './upload.ts';

/** Options of every method. */
export type RequestOptions = {
  /** Signal that ends the request; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Milliseconds in which something must be sent or received; 0 for no limit. */
  timeout?: number | undefined;
  /** Number of times that a failed request is sent again. */
  maxRetries?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
};

export type RequestBody = { json: unknown } | { form: Form } | { text: string; type: string };

export type RequestSpec = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path that begins with a slash; ids in it are encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  body?: RequestBody | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Effect of repeating the request. Defaults to `harmless` for all methods but POST. */
  repetition?: Repetition;
  /**
   * Timeout of this request unless the caller sets one, for work that takes long before the first
   * byte.
   */
  timeoutMs?: number;
};

type TransportSettings = {
  baseUrl: string;
  apiKey: string | undefined;
  fetch: Fetch;
  timeoutMs: number;
  maxRetries: number;
  headers: Readonly<Record<string, string>>;
};

/** A response whose body was not read yet; `timer` limits the time of reading. */
type Answered = { response: Response; timer: IdleTimer };
type Read<Data> = (answered: Answered) => Promise<Data>;

/** Sends requests with the key, time limits and repetitions, and converts errors. */
export class Transport {
  readonly settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.settings = settings;
  }

  /** Returns the JSON of a successful response. Throws a JyutsingError for every other response. */
  json<Data>(spec: RequestSpec, options?: RequestOptions): ApiPromise<Data> {
    return this.#request(spec, options, readJson<Data>);
  }

  text(spec: RequestSpec, options?: RequestOptions): ApiPromise<string> {
    return this.#request(spec, options, readText);
  }

  blob(spec: RequestSpec, options?: RequestOptions): ApiPromise<Blob> {
    return this.#request(spec, options, readBlob);
  }

  /** Yields the bytes of a response while they arrive; the time limit counts between two pieces. */
  stream(spec: RequestSpec, options?: RequestOptions): ApiPromise<AsyncGenerator<Uint8Array>> {
    return this.#request(spec, options, async (answered) => piecesOf(answered));
  }

  url(path: string, query: RequestSpec['query']): string {
    if (query === undefined) return this.settings.baseUrl + path;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return this.settings.baseUrl + path + (search.size === 0 ? '' : `?${search.toString()}`);
  }

  #request<Data>(spec: RequestSpec, options: RequestOptions | undefined, read: Read<Data>): ApiPromise<Data> {
    return apiPromise(this.#send(spec, options, read));
  }

  /** Sends a request until its response was read or it must not be repeated. */
  async #send<Data>(spec: RequestSpec, options: RequestOptions = {}, read: Read<Data>): Promise<WithResponse<Data>> {
    const { repetition = spec.method === 'POST' ? 'repeats' : 'harmless' } = spec;
    const maxRetries = isRepeatable(spec.body) ? (options.maxRetries ?? this.settings.maxRetries) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answered = await this.#attempt(spec, options);
        return { data: await read(answered), response: answered.response };
      } catch (failure) {
        const isLast = attempt >= maxRetries;
        if (isLast || !(failure instanceof JyutsingError) || !mayRetry(failure, repetition)) throw failure;
        await delay(retryDelayMs(attempt, failure.retryAfterSeconds), options.signal);
      }
    }
  }

  async #attempt(spec: RequestSpec, { signal, timeout, headers }: RequestOptions): Promise<Answered> {
    const { apiKey, fetch, timeoutMs, headers: common } = this.settings;
    const timer = startIdleTimer(timeout ?? spec.timeoutMs ?? timeoutMs, signal);
    try {
      const body = spec.body === undefined ? {} : await encodeBody(spec.body, timer.touch);
      const init: RequestInit & Partial<EncodedForm> = {
        method: spec.method,
        ...body,
        headers: {
          ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
          ...body.headers,
          ...spec.headers,
          ...common,
          ...headers,
        },
        signal: timer.signal,
      };
      const response = await fetch(this.url(spec.path, spec.query), init);
      if (!response.ok) throw await readError(response);
      timer.touch();
      return { response, timer };
    } catch (failure) {
      const error = failure instanceof JyutsingError ? failure : this.#unanswered(failure, timer.signal);
      timer.end();
      throw error;
    }
  }

  /** Returns the reason of an abort, or an error that says that no response came. */
  #unanswered(cause: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (cause instanceof InvalidRequestError) return cause;
    const { baseUrl } = this.settings;
    const distrust = distrustOf(cause);
    const message =
      distrust === null
        ? `The server at ${baseUrl} cannot be reached.`
        : `The certificate of the server at ${baseUrl} is not trusted: ${distrust}.`;
    return new ConnectionError(message, {
      code: 'connection_failed',
      status: null,
      requestId: null,
      cause,
    });
  }
}

const UNKNOWN_AUTHORITY =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;

/**
 * Returns why Node refused a certificate, and what to do; null for every other failure of `fetch`.
 */
function distrustOf(failure: unknown): string | null {
  const { code = '', message = '' } = ((failure as Error | null)?.cause ?? {}) as { code?: string; message?: string };
  if (UNKNOWN_AUTHORITY.test(code)) {
    return `${message.split(';')[0]}; set NODE_EXTRA_CA_CERTS to the file of this certificate or of its authority`;
  }
  return /^(?:CERT_|ERR_TLS_CERT_)/.test(code) ? message : null;
}

const readJson = whole((response) => response.json()) as <Data>(answered: Answered) => Promise<Data>;
const readText = whole((response) => response.text());
const readBlob = whole((response) => response.blob());

/** Makes a reader that reads a body to its end. */
function whole<Data>(read: (response: Response) => Promise<Data>): Read<Data> {
  return async ({ response, timer }) => {
    try {
      const data = await read(response);
      // An abort would take as long as the rest of the client.
      timer.done();
      return data;
    } catch (failure) {
      const error = brokenAnswer(failure, timer.signal, response);
      timer.end();
      throw error;
    }
  };
}

async function* piecesOf({ response, timer }: Answered): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of response.body === null ? [] : chunksOf(response.body as ReadableStream<Uint8Array>)) {
      timer.stop();
      yield piece;
      timer.touch();
    }
  } catch (failure) {
    throw brokenAnswer(failure, timer.signal, response);
  } finally {
    timer.end();
  }
}

async function encodeBody(body: RequestBody, onSent: () => void): Promise<Partial<EncodedForm>> {
  if ('json' in body) return { body: JSON.stringify(body.json), headers: { 'content-type': 'application/json' } };
  if ('text' in body) return { body: body.text, headers: { 'content-type': body.type } };
  return encodeForm(body.form, onSent);
}

function isRepeatable(body: RequestBody | undefined): boolean {
  return body === undefined || !('form' in body) || body.form.files.every((file) => file.isRepeatable);
}

/**
 * Returns the reason of an abort, or an error that says that the connection broke during a
 * response.
 */
function brokenAnswer(cause: unknown, signal: AbortSignal, { status, headers }: Response): unknown {
  if (signal.aborted) return signal.reason;
  return new ConnectionError('The connection broke before the answer was complete.', {
    code: 'incomplete_answer',
    status,
    requestId: headers.get('x-request-id'),
    cause,
  });
}
