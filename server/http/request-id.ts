import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own `X-Request-Id`, or null when none was sent or it could forge log lines or headers. */
export function callersRequestId(headers: IncomingHttpHeaders): string | null {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE.test(sent) ? sent : null;
}

/** The id of a request: the caller's where it is sane, else a new UUID. */
export function requestIdFor(request: { headers: IncomingHttpHeaders }): string {
  return callersRequestId(request.headers) ?? randomUUID();
}
