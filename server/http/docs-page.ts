import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import { PAGE_POLICY } from './security-headers.ts';

/**
 * Makes the library, which keeps the key of a visitor in `localStorage`, keep it in the storage of
 * the tab: it is gone when the tab is closed.
 */
const KEEP_KEY_IN_TAB = `<script>
  for (const name of ['getItem', 'setItem', 'removeItem']) {
    const original = Storage.prototype[name];
    Storage.prototype[name] = function (item, ...rest) {
      return original.call(String(item).startsWith('scalar-reference-auth') ? sessionStorage : this, item, ...rest);
    };
  }
</script>`;

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
    const isPage = statusCode === 200 && String(type).startsWith('text/html');
    const payload = isPage ? rawPayload.toString().replace('<head>', () => `<head>${KEEP_KEY_IN_TAB}`) : rawPayload;
    return reply.status(statusCode).send(payload);
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
