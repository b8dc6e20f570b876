import type { FastifyInstance } from 'fastify';

/** Headers of answers that scripts of other origins may read. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Mcp-Session-Id',
  'Retry-After',
  'X-Audio-Format',
  'X-Channels',
  'X-Characters-Charged',
  'X-Model-Id-Ignored',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Sample-Rate',
  'X-Voice-Id-Substituted',
];
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins call the service from a browser; `*` means every origin. Cookies are
 * never used, so such a page needs a key like any other client.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.register(import('@fastify/cors'), {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    // A browser's question without the header of the method is answered like any other.
    strictPreflight: false,
  });
}
