import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import type { ServerDeps } from '#http/deps.ts';

/** The page to which the root address sends a browser. */
export const CONSOLE_PATH = '/console/';

/** Scripts, styles and sound come from this server alone; nothing is part of the page itself. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self' blob:",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Files with a hash of their content in their name. */
const HASHED = /^\/console\/assets\//;
const FOR_EVER = 'public, max-age=31536000, immutable';

export const isConsoleBuilt = (consoleDir: string) => existsSync(join(consoleDir, 'index.html'));

/** GET /console/: the web console, as `scripts/build-console.ts` built it. */
export async function addConsole(app: FastifyInstance, { config }: Pick<ServerDeps, 'config'>): Promise<void> {
  const { consoleDir } = config;
  if (!isConsoleBuilt(consoleDir)) {
    for (const url of ['/console', `${CONSOLE_PATH}*`]) app.get(url, { schema: { hide: true } }, refuseUnbuilt);
    return;
  }
  app.addHook('onRequest', async ({ url }, reply) => {
    reply.header('content-security-policy', CONSOLE_POLICY);
    reply.header('permissions-policy', 'microphone=(self)');
    reply.header('cache-control', HASHED.test(url) ? FOR_EVER : 'no-cache');
  });
  await app.register(fastifyStatic, {
    root: consoleDir,
    prefix: CONSOLE_PATH,
    index: false,
    cacheControl: false,
    preCompressed: true,
    schemaHide: true,
  });
  // The router takes both for one path; without the slash, the page would not find its files.
  app.get('/console', { schema: { hide: true } }, ({ url }, reply) =>
    url.split('?', 1)[0] === CONSOLE_PATH ? reply.sendFile('index.html') : reply.redirect(CONSOLE_PATH),
  );
}

function refuseUnbuilt(): never {
  throw new AppError(
    'service_unavailable',
    'The console is not built; run `npm run console` in the folder of the service, and start it again.',
  );
}
