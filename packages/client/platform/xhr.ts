import type { Fetch } from '#client/http/fetch.ts';

/**
 * The part of XMLHttpRequest used here, because this package is checked without the types of
 * browsers.
 */
type Xhr = {
  responseType: string;
  readonly response: unknown;
  readonly status: number;
  readonly statusText: string;
  readonly upload: { addEventListener(type: 'progress', listener: (event: { loaded: number }) => void): void };
  addEventListener(type: 'load' | 'error' | 'abort' | 'loadend', listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
};
declare const XMLHttpRequest: new () => Xhr;

export const hasXhr = typeof XMLHttpRequest !== 'undefined';

/**
 * Implements `fetch` by XMLHttpRequest, which alone reports in browsers how much of a form was
 * sent: `onSent` receives the bytes. The response resolves when it is complete.
 */
export function fetchWithProgress(...[url, init]: Parameters<Fetch>): Promise<Response> {
  const { onSent, method = 'GET', body, headers, signal } = init;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    request.responseType = 'blob';
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onSent?.(loaded));
    request.addEventListener('load', () => resolve(new Response(request.response as Blob, answerOf(request))));
    request.addEventListener('error', () => reject(new TypeError('The request failed.')));
    request.addEventListener('abort', () =>
      reject((signal?.reason ?? new TypeError('The request was aborted.')) as Error),
    );
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    signal?.addEventListener('abort', abort);
    request.send(body);
    if (signal?.aborted === true) abort();
  });
}

function answerOf(request: Xhr): ResponseInit {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) headers.append(name, value);
  }
  return { status: request.status, statusText: request.statusText, headers };
}
