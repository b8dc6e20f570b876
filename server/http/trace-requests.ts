import type { FastifyInstance } from 'fastify';
import type { Tracing } from '#telemetry/spans.ts';

/**
 * Makes a span for each request, from its header to the end of its answer or, for a WebSocket, of
 * its connection. It continues the trace of a `traceparent` header. Checks of health and metrics
 * have none.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route = 'unknown', config } = request.routeOptions;
    const { traceparent } = request.headers;
    const span = config.whileStarting
      ? null
      : tracing.start(`${request.method} ${route}`, {
          kind: 'server',
          parent: typeof traceparent === 'string' ? traceparent : null,
          attributes: {
            'http.request.method': request.method,
            'http.route': route,
            'jyutsing.request.id': request.id,
          },
        });
    if (span === null) return done();
    const closing = request.ws ? request.raw.socket : reply.raw;
    closing.once('close', () => {
      const status = request.ws ? 101 : reply.statusCode;
      span.set({ 'http.response.status_code': status });
      span.end(status >= 500 ? new Error('the server failed') : undefined);
    });
    return span.within(done);
  });
}
