import multipart from '@fastify/multipart';
import reference from '@scalar/fastify-api-reference';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { AppError } from '#contracts/errors.ts';
import { createAdministration } from '#features/accounts/administration.ts';
import { adminRoutes } from './admin/route.ts';
import { createAuthenticator } from './authentication.ts';
import { replyToBrokenHttp, replyWithError } from './errors.ts';
import { documentApi } from './openapi.ts';
import { requestIdFor } from './request-id.ts';
import { serverStateRoutes } from './server-state/route.ts';
import type { HttpServices } from './services.ts';
import { transcriptionRoutes } from './transcription/route.ts';
import { answerUnknownRoutes } from './unknown-route.ts';
import { usageRoutes } from './usage/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers also while the service starts or drains. */
    whileStarting?: boolean;
  }
}

/**
 * The whole HTTP interface on the given services. It does not listen yet, and closing it closes none of the services.
 * Call `cleanIncoming` before it listens.
 */
export function createServer(services: HttpServices): FastifyInstance {
  const { config, logger } = services;
  const loggerInstance: FastifyBaseLogger = logger;
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdFor,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    // A blocking call is silent for as long as its work takes, so connections have no time limit; uploads have their own.
    requestTimeout: 0,
    // While closing, our own hook refuses what is new with the body that all errors have.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      replyWithError(error, request, reply);
    },
    clientErrorHandler: replyToBrokenHttp,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(config.validateResponses ? serializerCompiler : () => JSON.stringify);
  app.setErrorHandler(replyWithError);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!services.isReady() && request.routeOptions.config.whileStarting !== true) {
      throw new AppError('service_unavailable');
    }
  });
  observeRequests(app, services);
  answerUnknownRoutes(app);
  app.register(multipart, { throwFileSizeLimit: false });
  documentApi(app, config.version);
  // The page and its script come from here and ask nobody else: no fonts, proxy or telemetry of its makers.
  app.register(reference, {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json', withDefaultFonts: false, telemetry: false, proxyUrl: '' },
  });

  const authenticator = createAuthenticator(services);
  const administration = createAdministration(services.store, config.plans);
  app.register(serverStateRoutes(services));
  app.register(transcriptionRoutes(services, authenticator));
  app.register(usageRoutes(administration, authenticator));
  app.register(adminRoutes(administration, authenticator));
  return app;
}

/** Counts and, when wanted, logs each answer: by route and never by address, which may carry ids. */
function observeRequests(app: FastifyInstance, { metrics, config, logger }: HttpServices): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const { statusCode: status, elapsedTime: elapsedMs } = reply;
    metrics.httpRequests.inc({ method, route, status });
    metrics.httpSeconds.observe({ route }, elapsedMs / 1_000);
    if (config.logRequests) {
      logger.info({ requestId: request.id, method, route, status, elapsedMs: Math.round(elapsedMs) }, 'request');
    }
  });
}
