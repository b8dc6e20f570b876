import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ServerDeps } from './deps.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { noBody, type AddRoute } from './route.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

type RouteDeps = Pick<ServerDeps, 'config' | 'metrics' | 'logger'> & { requestMetrics: RequestMetrics };

const DOCS = {
  tags: ['Server'],
  operationId: 'getMetrics',
  summary: 'Metrics in the Prometheus text format',
  ok: { description: 'Metrics.', content: { 'text/plain': { schema: z.string() } } },
};
const PATH = '/metrics';

/** Serves the metrics where and to whom the configuration says. */
export function addMetricsRoute(app: FastifyInstance, addRoute: AddRoute, deps: RouteDeps): void {
  const { contentType } = deps.metrics.registry;
  const read = () => {
    deps.requestMetrics.flush();
    return deps.metrics.registry.metrics();
  };
  const { access } = deps.config.metrics;
  if (access === 'own-port') serveApart(app, read, deps);
  else if (access === 'admin') {
    addRoute({
      method: 'GET',
      paths: [PATH],
      docs: DOCS,
      auth: { scope: 'admin', rateLimit: 'poll' },
      body: noBody,
      config: { whileStarting: true },
      run: read,
      answer: (text, { reply }) => reply.type(contentType).serializer(String).send(text),
    });
  } else {
    const { ok, ...documented } = DOCS;
    // In a scope, because the documentation sees only routes that are added after it was loaded.
    app.register(async (scope) => {
      scope.get(PATH, {
        schema: { ...documented, response: { 200: ok } },
        config: { whileStarting: true },
        handler: async (_request, reply) => reply.type(contentType).send(await read()),
      });
    });
  }
}

/** Opens a port for the metrics alone, together with the service and as long as it. */
function serveApart(app: FastifyInstance, read: () => Promise<string>, { config, metrics, logger }: RouteDeps): void {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (request.url !== PATH) return void response.writeHead(404).end();
    read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (err: unknown) => {
        logger.error({ err }, 'error in the metrics');
        response.writeHead(500).end();
      },
    );
  });
  // Before the service listens, so that a port in use stops the start.
  app.addHook('onReady', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(config.metrics.port ?? 0, config.metrics.host, resolve);
    await promise;
    logger.info({ address: server.address() }, 'metrics have a port of their own');
  });
  app.addHook('onClose', (_instance, done) => {
    server.closeAllConnections();
    server.close(() => done());
  });
}
