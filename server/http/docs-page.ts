import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { PAGE_POLICY } from './security-headers.ts';

const PATHS = ['/docs/', '/docs/js/scalar.js'];

/**
 * Adds the page that shows the interface. It loads everything from this server: no fonts, proxy or
 * telemetry. Its library takes 40 MB of memory, so it is loaded by the first request for the page.
 */
export function addDocsPage(app: FastifyInstance): void {
  const loaded = new Map<string, Promise<FastifyInstance>>();
  const answer = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    const pages = await memoizeAsync(loaded, 'docs', loadPages);
    const { statusCode, headers, rawPayload } = await pages.inject(url);
    const { 'content-type': type, location } = headers;
    if (typeof type === 'string') reply.type(type).header('content-security-policy', PAGE_POLICY);
    if (location !== undefined) reply.header('location', location);
    return reply.status(statusCode).send(rawPayload);
  };
  for (const path of PATHS) app.get(path, { schema: { hide: true } }, answer);
}

async function loadPages(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const pages = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await pages.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'jyutsing',
      // Keeps the key between visits, in the storage of the browser.
      persistAuth: true,
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      // These link to services of the library's vendor.
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
  return pages;
}
