import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For answers that are no page: nothing in them may run, load or be framed. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** For pages whose scripts and styles come from this server or are part of the page. */
export const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HSTS_SECONDS = 180 * 24 * 3_600;

/**
 * Adds the headers that tell browsers what not to do with an answer. A page sets its own
 * `content-security-policy`. Call before other hooks, so that their refusals have them too.
 */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
}

/** The headers of every answer. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NO_PAGE,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const;

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS);
  if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${HSTS_SECONDS}`);
}
